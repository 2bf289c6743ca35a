//! The rules of one kind of object, as a state machine that may choose among several responses.

use std::collections::BTreeSet;
use std::fmt;

/// The rules of one kind of object, such as a job.
pub trait Machine {
    /// State of the object in the service.
    type State: Clone + Ord;
    /// A call that concerns the object.
    type Call: fmt::Display;
    /// A response, as far as the rules concern it.
    type Answer: fmt::Display;

    /// Returns the states that the service may reach from `state` in one step without a request.
    fn steps(&self, state: &Self::State) -> Vec<Self::State>;

    /// Returns every response that the document allows to `call` in `state`.
    fn allowed(&self, state: &Self::State, call: &Self::Call) -> Vec<Allowed<Self::State, Self::Answer>>;

    /// Returns the state after `answer`, or `None` if `answer` differs from the allowed response or contradicts earlier ones.
    fn accept(&self, allowed: &Allowed<Self::State, Self::Answer>, answer: &Self::Answer) -> Option<Self::State>;
}

/// An allowed response.
#[derive(Debug, Clone)]
pub struct Allowed<State, Answer> {
    /// The response.
    pub answer: Answer,
    /// State after the response, without the values that the response shows.
    pub next: State,
    /// The sentence of the document that allows it.
    pub clause: &'static str,
}

/// Returns `states` and all states that the service may reach from them without a request.
pub fn reachable<M: Machine>(machine: &M, states: impl IntoIterator<Item = M::State>) -> BTreeSet<M::State> {
    let mut found = BTreeSet::new();
    let mut open: Vec<M::State> = states.into_iter().collect();
    while let Some(state) = open.pop() {
        if !found.contains(&state) {
            open.extend(machine.steps(&state));
            found.insert(state);
        }
    }
    found
}
