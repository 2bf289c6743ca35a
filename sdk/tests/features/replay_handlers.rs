//! Three handlers of one event, in every order of their steps. Compares the guard's results with a model of the event's owner.

use std::time::{Duration, SystemTime};

use contentgen_sdk::webhook::{Claim, ClaimToken, MemoryReplayGuard, ReplayGuard as _};

const EVENT: &str = "evt_1";
const HANDLERS: usize = 3;
/// Number of times that the duration of a claim passes.
const TICKS: usize = 2;
const CLAIMS_LAST: Duration = Duration::from_secs(30);

/// A step of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A handler claims the event.
    Claims(usize),
    /// A handler ends, if it got the event.
    Ends(usize),
    /// The current claim expires.
    TimePasses,
}

/// How a handler ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Completes,
    Releases,
    /// The server drops the handler, since its sender has disconnected.
    IsDropped,
}

/// Model: the owner of the event.
#[derive(Debug, Default)]
struct Model {
    owner: Option<usize>,
    is_done: bool,
}

/// Returns every order of the remaining steps, after those in `taken`.
fn orders(
    claimed: [bool; HANDLERS],
    ended: [bool; HANDLERS],
    ticks: usize,
    taken: &mut Vec<Step>,
    all: &mut Vec<Vec<Step>>,
) {
    if ended == [true; HANDLERS] && ticks == 0 {
        all.push(taken.clone());
        return;
    }
    let mut go_on = |step, claimed, ended, ticks| {
        taken.push(step);
        orders(claimed, ended, ticks, taken, all);
        taken.pop();
    };
    for handler in 0..HANDLERS {
        if !claimed[handler] {
            let mut claimed = claimed;
            claimed[handler] = true;
            go_on(Step::Claims(handler), claimed, ended, ticks);
        } else if !ended[handler] {
            let mut ended = ended;
            ended[handler] = true;
            go_on(Step::Ends(handler), claimed, ended, ticks);
        }
    }
    if ticks > 0 {
        go_on(Step::TimePasses, claimed, ended, ticks - 1);
    }
}

/// Runs the steps of an order on the guard and on the model.
async fn run(order: &[Step], ends: [End; HANDLERS]) {
    let guard = MemoryReplayGuard::with_limits(10, Duration::MAX).claim_timeout(CLAIMS_LAST);
    let (mut model, mut now) = (Model::default(), SystemTime::UNIX_EPOCH);
    let mut tokens: [Option<ClaimToken>; HANDLERS] = [None; HANDLERS];
    for step in order {
        match *step {
            Step::Claims(handler) => {
                let claim = guard.claim_at(EVENT, now);
                match (model.is_done, model.owner) {
                    (true, _) => assert_eq!(claim, Claim::Done, "{order:?} {ends:?}"),
                    (false, Some(_)) => assert_eq!(claim, Claim::InProgress, "{order:?} {ends:?}"),
                    (false, None) => {
                        let Claim::New(token) = claim else { panic!("{claim:?} at {step:?} in {order:?} {ends:?}") };
                        assert!(!tokens.contains(&Some(token)), "{order:?}");
                        (tokens[handler], model.owner) = (Some(token), Some(handler));
                    }
                }
            }
            Step::Ends(handler) => {
                let Some(token) = tokens[handler] else { continue };
                match ends[handler] {
                    End::Completes => {
                        guard.complete(EVENT, token).await.unwrap();
                        model.is_done = true;
                    }
                    End::Releases => {
                        guard.release(EVENT, token).await.unwrap();
                        model.owner = model.owner.filter(|owner| *owner != handler);
                    }
                    End::IsDropped => {}
                }
            }
            Step::TimePasses => {
                now += CLAIMS_LAST + Duration::from_secs(1);
                model.owner = None;
            }
        }
    }
    let last = guard.claim_at(EVENT, now);
    assert_eq!(last == Claim::Done, model.is_done, "{order:?} {ends:?}");
}

#[tokio::test]
async fn no_two_handlers_hold_an_event_and_none_handles_what_is_done() {
    let mut all = Vec::new();
    orders([false; HANDLERS], [false; HANDLERS], TICKS, &mut Vec::new(), &mut all);
    assert_eq!(all.len(), 2520);
    let ends = [End::Completes, End::Releases, End::IsDropped];
    for order in &all {
        for [first, second, third] in
            ends.into_iter().flat_map(|a| ends.into_iter().flat_map(move |b| ends.map(|c| [a, b, c])))
        {
            run(order, [first, second, third]).await;
        }
    }
}
