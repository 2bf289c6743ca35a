//! Nobody gets hooks about what belongs to another account.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::hooks::{article_hook, lead_hook};
use crate::steps::{accounts, lead_form};

const TWO: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::ISOLATION];

const LEADS: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.isolation.own-only",
            "An account gets no hooks about another account's articles.",
            "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike",
            own_only,
        )
        .needs(TWO)
        .background(),
        Requirement::must(
            "hooks.isolation.own-leads-only",
            "Hooks tell of the own account's leads only: one that another account's website captured is as if it did not exist.",
            "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike",
            own_leads_only,
        )
        .needs(LEADS)
        .background(),
    ]
}

async fn own_only(context: Context, _: Value) -> Verdict {
    let job = accounts::published_by_other(&context, "Reading a barograph").await?;
    article_hook(&context).await?;
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    for foreign in [demand::text(&job, "job_id")?, demand::text(&job, "article_id")?, &website_id] {
        let log = context.hooks()?;
        let seen = log.wait_for(foreign, context.quiet() / 2, |seen| !seen.is_empty()).await;
        ensure(seen.is_empty(), format!("no hook about the other account's {foreign}"), || {
            demand::beginning(&seen[0].body)
        })?;
    }
    Ok(())
}

async fn own_leads_only(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    let marker = context.fresh("foreign");
    let form = lead_form::request(&context, "POST", &website_id)?;
    let exchange = context.send(form.json(&json!({ "email": format!("{marker}@example.com") }))).await?;
    ensure_met(exchange.succeeded(), "the other account's website takes no lead")?;
    // Once a later lead's hook is here, a foreign one is on its way at the most.
    lead_hook(&context, "after the foreign one").await?;
    let seen = context.hooks()?.wait_for(&marker, context.quiet(), |seen| !seen.is_empty()).await;
    ensure(seen.is_empty(), "no hook about a lead of the other account", || demand::beginning(&seen[0].body))
}
