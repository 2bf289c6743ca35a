//! Repeats a failure of an earlier run, before the other cases of its requirement.

use super::execution::Execution;
use crate::runner::outcome::Outcome;
use crate::runner::replay::Replay;

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
