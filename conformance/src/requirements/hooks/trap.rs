//! Webhooks about forms with a filled trap field.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::inbox::HookRequest;
use crate::steps::hooks::{LEAD_CAPTURED, first_mention};
use crate::steps::lead_form;

const FORM: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.trap.marked",
            "A lead form with a text in `_hp` causes no webhook about a lead that is not suspected of being spam.",
            &[Sentence(
                "If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason \
                `trap_filled`.",
            )],
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
    first_mention(&context, &later, LEAD_CAPTURED).await?;
    let is_unmarked = |hook: &HookRequest| {
        let body = hook.json().unwrap_or_default();
        body["type"] == LEAD_CAPTURED && !lead_form::is_marked(&body["data"]["lead"])
    };
    let hooks = context.hooks()?.wait_for(&marker, context.quiet(), |seen| seen.iter().any(is_unmarked)).await;
    let unmarked = hooks.iter().filter(|hook| is_unmarked(hook)).count();
    ensure(unmarked == 0, "no webhook about a lead whose spam.suspected is not true", || format!("{unmarked} of them"))
}
