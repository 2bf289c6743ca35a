//! Whoever fills the trap field causes no hook about a lead that is not marked.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::inbox::HookRequest;
use crate::steps::hooks::first_mention;
use crate::steps::lead_form;

const FORM: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.trap.marked",
            "A lead form with a text in `_hp` causes no hook about a lead that is not suspected of being spam.",
            "openapi.yaml, LeadCapture: _hp",
            trap,
        )
        .needs(FORM)
        .background(),
    ]
}

async fn trap(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("robot");
    lead_form::taken(&context, &json!({ "email": format!("{marker}@example.com"), "_hp": "x" })).await?;
    let later = context.fresh("person");
    lead_form::taken(&context, &json!({ "email": format!("{later}@example.com") })).await?;
    first_mention(&context, &later).await?;
    let is_unmarked = |hook: &HookRequest| !hook.json().is_some_and(|body| lead_form::is_marked(&body["data"]["lead"]));
    let hooks = context.hooks()?.wait_for(&marker, context.quiet(), |seen| seen.iter().any(is_unmarked)).await;
    let unmarked = hooks.iter().filter(|hook| is_unmarked(hook)).count();
    ensure(unmarked == 0, "no hook about a lead whose spam.suspected is not true", || format!("{unmarked} of them"))
}
