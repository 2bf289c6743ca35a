//! Decides whether the responses that concurrent clients received have an order that the rules allow (linearizability).
//!
//! The search is that of J. Wing and C. Gong, with G. Lowe's memory of visited states. It applies one call at a time, in every order that
//! keeps the real times, and follows all states that the rules allow together.

use std::collections::BTreeSet;

use super::machine::{Machine, reachable};

/// Maximum number of events of one object.
pub const MAX_EVENTS: usize = 64;
/// Maximum number of steps of one search. Histories of 64 events take a few hundred.
const MAX_STEPS: u32 = 100_000;

/// A call of a client, with its response.
#[derive(Debug, Clone)]
pub struct Event<Call, Answer> {
    /// Number of the client.
    pub client: usize,
    /// The call.
    pub call: Call,
    /// The response. `None` if it was lost: the call may have its effect at any later time, or never.
    pub answer: Option<Answer>,
    /// Times at which the call was sent and its response was complete, in nanoseconds since a common origin.
    pub begun: u64,
    /// See `begun`. Unused without a response.
    pub ended: u64,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Explanation {
    /// The calls in this order, by their index, have the responses that were received.
    Explained(Vec<usize>),
    /// No order of the calls has these responses.
    Contradiction(Contradiction),
    /// There are too many events or too many orders.
    Undecided,
}

/// The end of the longest order that the rules allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Indices of the calls in this order.
    pub order: Vec<usize>,
    /// Index of the event whose response does not fit.
    pub event: usize,
    /// The responses that the rules allow instead, each with its sentence.
    pub allowed: Vec<(String, &'static str)>,
}

impl Contradiction {
    /// Returns the allowed responses with their sentences.
    pub fn expected(&self) -> String {
        let each = self.allowed.iter().map(|(answer, clause)| format!("{answer} (\u{201c}{clause}\u{201d})"));
        each.collect::<Vec<_>>().join(" or ")
    }
}

/// Looks for an order of `events` that leads from one of the `initial` states to the responses that were received.
pub fn explain<M: Machine>(
    machine: &M,
    initial: impl IntoIterator<Item = M::State>,
    events: &[Event<M::Call, M::Answer>],
) -> Explanation {
    if events.len() > MAX_EVENTS {
        return Explanation::Undecided;
    }
    let mut search = Search { machine, events, visited: BTreeSet::new(), steps: 0, deepest: None };
    match search.follow(0, initial.into_iter().collect(), &mut Vec::new()) {
        Found::Order(order) => Explanation::Explained(order),
        Found::TooMany => Explanation::Undecided,
        Found::Nothing => search.deepest.map_or(Explanation::Undecided, Explanation::Contradiction),
    }
}

enum Found {
    Order(Vec<usize>),
    Nothing,
    TooMany,
}

struct Search<'a, M: Machine> {
    machine: &'a M,
    events: &'a [Event<M::Call, M::Answer>],
    /// Sets of events, as bits, with the states after them.
    visited: BTreeSet<(u64, BTreeSet<M::State>)>,
    steps: u32,
    deepest: Option<Contradiction>,
}

impl<M: Machine> Search<'_, M> {
    /// Continues an order of the events in `done`, after which the object is in one of `states`.
    fn follow(&mut self, done: u64, states: BTreeSet<M::State>, order: &mut Vec<usize>) -> Found {
        let states = reachable(self.machine, states);
        let left = |at: &usize| done & (1 << at) == 0;
        let answered = |at: &usize| self.events[*at].answer.is_some();
        let first_end = (0..self.events.len()).filter(left).filter(answered).map(|at| self.events[at].ended).min();
        let Some(first_end) = first_end else { return Found::Order(order.clone()) };
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Found::TooMany;
        }
        if !self.visited.insert((done, states.clone())) {
            return Found::Nothing;
        }
        let is_next = |at: &usize| self.events[*at].begun <= first_end;
        let mut candidates: Vec<usize> = (0..self.events.len()).filter(left).filter(is_next).collect();
        // An order without the effects of lost calls is simpler.
        candidates.sort_by_key(|at| (!answered(at), self.events[*at].ended));
        for at in &candidates {
            let next = self.after(&states, *at);
            if next.is_empty() {
                continue;
            }
            order.push(*at);
            match self.follow(done | (1 << at), next, order) {
                Found::Nothing => _ = order.pop(),
                found => return found,
            }
        }
        if self.deepest.as_ref().is_none_or(|deepest| deepest.order.len() < order.len()) {
            let stuck = candidates.iter().find(|at| answered(at) && self.after(&states, **at).is_empty());
            if let Some(event) = stuck.copied() {
                let allowed = self.allowed(&states, event);
                self.deepest = Some(Contradiction { order: order.clone(), event, allowed });
            }
        }
        Found::Nothing
    }

    /// Returns the states after an event that takes effect in one of `states`.
    fn after(&self, states: &BTreeSet<M::State>, at: usize) -> BTreeSet<M::State> {
        let Event { call, answer, .. } = &self.events[at];
        let allowed = states.iter().flat_map(|state| self.machine.allowed(state, call));
        match answer {
            Some(answer) => allowed.filter_map(|allowed| self.machine.accept(&allowed, answer)).collect(),
            None => allowed.map(|allowed| allowed.next).collect(),
        }
    }

    /// Returns the responses that the rules allow to a call in one of `states`.
    fn allowed(&self, states: &BTreeSet<M::State>, at: usize) -> Vec<(String, &'static str)> {
        let call = &self.events[at].call;
        let allowed = states.iter().flat_map(|state| self.machine.allowed(state, call));
        let all: BTreeSet<_> = allowed.map(|allowed| (allowed.answer.to_string(), allowed.clause)).collect();
        all.into_iter().collect()
    }
}
