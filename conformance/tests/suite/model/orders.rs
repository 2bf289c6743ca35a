//! The search for an order of concurrent calls agrees with trying all orders.

use contentgen_conformance::model::key::{Answer, Call, Key, State};
use contentgen_conformance::model::{Event, Explanation, Machine as _, explain};
use proptest::prelude::*;

/// Most calls of a history: all their orders are tried.
const MOST: usize = 5;

fn event() -> impl Strategy<Value = Event<Call, Answer>> {
    let answer = prop_oneof![
        6 => (0_usize..2, any::<bool>()).prop_map(|(job, is_replay)| Some(Answer::Queued { job: Some(job), is_replay })),
        2 => Just(Some(Answer::Mismatch)),
        2 => Just(Some(Answer::InFlight)),
        1 => Just(None),
    ];
    (0_usize..2, any::<bool>(), answer, 0_u64..12, 0_u64..6).prop_map(|(body, is_contended, answer, begun, took)| {
        Event { client: 0, call: Call { body, is_contended }, answer, begun, ended: begun + took }
    })
}

/// Returns true if the events, in this order, lead from one of `states` to their responses.
fn follows(events: &[Event<Call, Answer>], order: &[usize]) -> bool {
    let mut states = vec![State::Free];
    for at in order {
        let Event { call, answer, .. } = &events[*at];
        let allowed = states.iter().flat_map(|state| Key::default().allowed(state, call)).collect::<Vec<_>>();
        states = match answer {
            Some(answer) => allowed.iter().filter_map(|allowed| Key::default().accept(allowed, answer)).collect(),
            None => allowed.into_iter().map(|allowed| allowed.next).collect(),
        };
    }
    !states.is_empty()
}

/// Returns true if any order that keeps the times, with or without the calls that have no response, leads to the responses.
fn any_order(events: &[Event<Call, Answer>], order: &mut Vec<usize>) -> bool {
    let left: Vec<usize> = (0..events.len()).filter(|at| !order.contains(at)).collect();
    if left.iter().all(|at| events[*at].answer.is_none()) && follows(events, order) {
        return true;
    }
    left.iter().any(|at| {
        let is_late =
            left.iter().any(|other| events[*other].answer.is_some() && events[*other].ended < events[*at].begun);
        if is_late {
            return false;
        }
        order.push(*at);
        let found = any_order(events, order);
        order.pop();
        found
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_an_order_exactly_if_there_is_one(events in proptest::collection::vec(event(), 0..=MOST)) {
        let expected = any_order(&events, &mut Vec::new());
        match explain(&Key::default(), [State::Free], &events) {
            Explanation::Explained(order) => prop_assert!(expected && follows(&events, &order), "{:?}", order),
            Explanation::Contradiction(_) => prop_assert!(!expected),
            Explanation::Undecided => prop_assert!(false, "five calls have few orders"),
        }
    }
}
