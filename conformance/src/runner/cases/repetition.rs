//! Repeats a failed case, because a finding counts only if it is seen again, and failures of an earlier run.

use serde_json::Value;

use super::execution::{Execution, Ran, held_up};
use crate::check::{Halt, Precedence};
use crate::runner::outcome::{Failure, Outcome};
use crate::runner::settings::Replay;

/// The result of repeating a failed case.
pub(super) enum Repeated {
    Failed,
    /// It did not fail again.
    Held(String),
    /// Nothing can be decided, for this reason.
    Undecided(String),
}

impl Execution<'_> {
    /// Repeats the case as often as the settings say. It has failed if it fails every time.
    pub(super) async fn repeated(&self, failure: &Failure, was_held_up: bool) -> Repeated {
        for attempt in 0..self.retries {
            match self.repeated_once(failure, was_held_up, attempt).await {
                Repeated::Failed => {}
                other => return other,
            }
        }
        Repeated::Failed
    }

    /// Repeats the case alone and, if many cases run in parallel, also beside as many copies of itself. If waiting for
    /// quotas may have caused the failure, the quotas have room for the repetition.
    async fn repeated_once(&self, failure: &Failure, was_held_up: bool, attempt: u32) -> Repeated {
        let is_alone = self.is_single || failure.finding.is_timeout() || was_held_up;
        let rounds = if is_alone { vec![1] } else { vec![1, self.in_flight.max(1)] };
        let _held_back = if was_held_up { Some(self.transport.make_room().await) } else { None };
        for (round, copies) in rounds.into_iter().enumerate() {
            match self.repeated_at_once(failure, &format!("{}s{attempt}r{round}", failure.shrink_steps), copies).await {
                Repeated::Held(_) => {}
                decided => return decided,
            }
        }
        Repeated::Held("the case passed when it was repeated".to_owned())
    }

    /// Runs `copies` of the case. A failure without waiting takes precedence over one that waiting may have caused.
    async fn repeated_at_once(&self, failure: &Failure, round: &str, copies: usize) -> Repeated {
        let index = failure.case_index;
        let run =
            |copy| self.run_as(format!("{index}a{round}x{copy}"), Precedence::Repeated, index, failure.case.clone());
        let (mut has_waited, mut open) = (None, None);
        for Ran { verdict, shown } in futures::future::join_all((0..copies).map(run)).await {
            match verdict {
                Err(Halt::Fail(finding)) if !shown.was_held_up(&finding) => return Repeated::Failed,
                Err(Halt::Fail(finding)) => has_waited = Some(held_up(&finding, shown.waited)),
                Err(Halt::Inconclusive(reason) | Halt::Unmet(reason) | Halt::Proxied(reason) | Halt::Error(reason)) => {
                    let finding = &failure.finding;
                    open = Some(format!(
                        "the case failed once (expected {}, observed {}), and repeating it did not decide it: {reason}",
                        finding.expected, finding.observed
                    ));
                }
                Ok(()) => {}
            }
        }
        has_waited.or(open).map_or_else(|| Repeated::Held(String::new()), Repeated::Undecided)
    }

    /// Runs `copies` of one case at once, as `round` of a replay. Returns `None` if all pass. The case failed in an
    /// earlier run, so one more failure confirms it.
    pub(in crate::runner) async fn copies(
        &self,
        case_index: u32,
        round: usize,
        case: &Value,
        copies: usize,
    ) -> Option<Outcome> {
        let running =
            (0..copies).map(|copy| self.one(format!("{case_index}r{round}x{copy}"), case_index, case.clone()));
        let mut undecided = None;
        for Ran { verdict, shown } in futures::future::join_all(running).await {
            match verdict {
                Err(Halt::Fail(finding)) if shown.was_held_up(&finding) => {
                    undecided = Some(Outcome::Inconclusive(held_up(&finding, shown.waited)));
                }
                Err(Halt::Fail(finding)) => {
                    return Some(Outcome::Failed(shown.into_failure(finding, case_index, case.clone())));
                }
                Err(Halt::Inconclusive(reason) | Halt::Unmet(reason) | Halt::Proxied(reason)) => {
                    undecided = Some(Outcome::Inconclusive(reason));
                }
                Err(Halt::Error(reason)) => undecided = Some(Outcome::Error(reason)),
                Ok(()) => {}
            }
        }
        undecided
    }
}

/// Effort of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runner) enum Effort {
    /// Runs the saved case alone, once.
    Once,
    /// Then runs it beside copies of itself, then after all the cases before it.
    Thorough,
}

/// Repeats `replay`. Returns `None` if the failure no longer occurs. `seen` returns true if an observer found something.
pub(in crate::runner) async fn repeat(
    execution: &Execution<'_>,
    replay: &Replay,
    effort: Effort,
    seen: &(dyn Fn() -> bool + Sync),
) -> Option<Outcome> {
    let case = replay.filled(&execution.contract.own_texts(execution.context.facts()));
    let mut undecided = None;
    let rounds: &[usize] = if effort == Effort::Once { &[1] } else { &[1, 16, 16] };
    for (round, copies) in rounds.iter().enumerate() {
        match execution.copies(replay.case_index, round, &case, *copies).await {
            Some(failed @ Outcome::Failed(_)) => return Some(failed),
            Some(other) => undecided = Some(other),
            None => {}
        }
        if seen() {
            return None;
        }
    }
    if effort == Effort::Thorough {
        let whole = Execution { seed: replay.seed, cases: 0..replay.case_index.saturating_add(1), ..*execution };
        match whole.run().await.0 {
            Outcome::Passed => {}
            other => return Some(other),
        }
    }
    undecided
}
