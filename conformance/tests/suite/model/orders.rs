//! The search for an order of concurrent calls agrees with trying all orders.

use std::fmt;

use contentgen_conformance::model::job::{self, Job, Status};
use contentgen_conformance::model::key::{self, Key};
use contentgen_conformance::model::{Event, Explanation, Machine, explain, reachable};
use proptest::prelude::*;

/// Most calls of a history: all their orders are tried.
const MOST: usize = 5;

/// Returns calls with any times. Every seventh call has no response.
fn events<C: fmt::Debug + Clone + 'static, A: fmt::Debug + Clone + 'static>(
    call: impl Strategy<Value = C> + 'static,
    answer: impl Strategy<Value = A> + 'static,
) -> impl Strategy<Value = Vec<Event<C, A>>> {
    let event = (call, proptest::option::weighted(0.85, answer), 0_u64..12, 0_u64..6);
    let event =
        event.prop_map(|(call, answer, begun, took)| Event { client: 0, call, answer, begun, ended: begun + took });
    proptest::collection::vec(event, 0..=MOST)
}

fn of_key() -> impl Strategy<Value = Vec<Event<key::Call, key::Answer>>> {
    let call = (0_usize..2, any::<bool>()).prop_map(|(body, is_contended)| key::Call { body, is_contended });
    let queued = (0_usize..2, any::<bool>());
    let answer = prop_oneof![
        3 => queued.prop_map(|(job, is_replay)| key::Answer::Queued { job: Some(job), is_replay }),
        1 => Just(key::Answer::Mismatch),
        1 => Just(key::Answer::InFlight),
    ];
    events(call, answer)
}

fn of_job() -> impl Strategy<Value = Vec<Event<job::Call, job::Answer>>> {
    let call = prop_oneof![2 => Just(job::Call::Read), 1 => Just(job::Call::Cancel)];
    let status =
        proptest::sample::select(vec![Status::Queued, Status::InProgress, Status::Completed, Status::Cancelled]);
    let answer = prop_oneof![
        4 => (status, 0_u8..3).prop_map(|(status, progress)| job::Answer::Job { status, progress: Some(progress), body: 1 }),
        1 => Just(job::Answer::NotCancellable),
    ];
    events(call, answer)
}

/// Returns true if the events, in this order, lead from `initial` to their responses.
fn follows<M: Machine>(rules: &M, initial: &M::State, events: &[Event<M::Call, M::Answer>], order: &[usize]) -> bool {
    let mut states = reachable(rules, [initial.clone()]);
    for at in order {
        let Event { call, answer, .. } = &events[*at];
        let allowed: Vec<_> = states.iter().flat_map(|state| rules.allowed(state, call)).collect();
        let next: Vec<M::State> = match answer {
            Some(answer) => allowed.iter().filter_map(|allowed| rules.accept(allowed, answer)).collect(),
            None => allowed.into_iter().map(|allowed| allowed.next).collect(),
        };
        states = reachable(rules, next);
    }
    !states.is_empty()
}

/// Returns true if no event of the order, and none that is left out, ended before an earlier one of the order began.
fn keeps_times<C, A>(events: &[Event<C, A>], order: &[usize]) -> bool {
    order.iter().enumerate().all(|(place, at)| {
        let later = (0..events.len()).filter(|other| !order[..=place].contains(other));
        later.filter(|other| events[*other].answer.is_some()).all(|other| events[other].ended >= events[*at].begun)
    })
}

/// Tries all orders, with or without the calls that have no response.
fn any_order<M: Machine>(
    rules: &M,
    initial: &M::State,
    events: &[Event<M::Call, M::Answer>],
    order: &mut Vec<usize>,
) -> bool {
    let left: Vec<usize> = (0..events.len()).filter(|at| !order.contains(at)).collect();
    let is_whole = left.iter().all(|at| events[*at].answer.is_none());
    if is_whole && keeps_times(events, order) && follows(rules, initial, events, order) {
        return true;
    }
    left.into_iter().any(|at| {
        order.push(at);
        let found = any_order(rules, initial, events, order);
        order.pop();
        found
    })
}

/// Compares the search with trying all orders.
fn agrees<M: Machine>(
    rules: &M,
    initial: &M::State,
    events: &[Event<M::Call, M::Answer>],
) -> Result<(), TestCaseError> {
    let expected = any_order(rules, initial, events, &mut Vec::new());
    match explain(rules, [initial.clone()], events) {
        Explanation::Explained(order) => {
            prop_assert!(expected && keeps_times(events, &order) && follows(rules, initial, events, &order));
        }
        Explanation::Contradiction(_) => prop_assert!(!expected),
        Explanation::Undecided => prop_assert!(false, "five calls have few orders"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_an_order_of_calls_with_a_key_exactly_if_there_is_one(events in of_key()) {
        agrees(&Key::default(), &key::State::Free, &events)?;
    }

    #[test]
    fn the_search_finds_an_order_of_calls_about_a_job_exactly_if_there_is_one(events in of_job()) {
        agrees(&Job { is_published: false }, &job::State::QUEUED, &events)?;
    }
}
