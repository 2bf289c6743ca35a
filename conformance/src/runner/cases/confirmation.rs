//! Repeats a failed case, because a finding counts only if it is seen again.

use super::execution::{Execution, Ran, held_up};
use crate::check::{Halt, Precedence};
use crate::runner::outcome::Failure;

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
            match self.repeated_at_once(failure, &format!("{attempt}r{round}"), copies).await {
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
}
