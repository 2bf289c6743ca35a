//! Whoever fills the trap field causes no hook.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::steps::capture;
use crate::steps::endpoints::QUIET;
use crate::steps::hooks::first_mention;

const FORM: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.trap.silent",
            "Whoever fills `_hp` gets no lead: nothing happened that a hook could tell.",
            "openapi.yaml, x-capture, LeadCapture: _hp",
            trap,
        )
        .needs(FORM)
        .background(),
    ]
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    capture::taken(&context, &json!({ "email": format!("{marker}@example.com"), "_hp": "x" })).await?;
    let later = context.fresh("person");
    capture::taken(&context, &json!({ "email": format!("{later}@example.com") })).await?;
    first_mention(&context, &later).await?;
    let hooks = context.hooks()?.wait_for(&marker, QUIET, |seen| !seen.is_empty()).await;
    ensure(hooks.is_empty(), "no hook about what is no lead", || format!("{} of them", hooks.len()))
}
