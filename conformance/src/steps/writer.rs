//! Steps that break the target's writer and repair it.

use crate::check::{Context, Halt, Verdict, WriterState};

/// Brings the writer into a state.
pub(crate) async fn switch(context: &Context, state: WriterState) -> Verdict {
    let writer = context.facts().writer.as_ref();
    let writer = writer.ok_or_else(|| Halt::Error("no command switches the writer".to_owned()))?;
    context.waiting(writer.switch(state)).await.map_err(|error| cannot_be(state, &error))
}

/// Lets the writer work again, whatever the verdict of the check is.
pub(crate) async fn repair(context: &Context, verdict: Verdict) -> Verdict {
    let repaired = switch(context, WriterState::Works).await;
    verdict.and(repaired)
}

/// Returns the halt for a command that succeeded without an effect.
pub(crate) fn no_effect(state: WriterState, observed: &str) -> Halt {
    let name = state.name();
    Halt::inconclusive(format!(
        "[writer] switch succeeded with `{name}`, but {observed}: does the command switch the writer of all processes?"
    ))
}

fn cannot_be(state: WriterState, error: &str) -> Halt {
    Halt::Error(format!("the writer cannot be switched to `{}`: {error}", state.name()))
}
