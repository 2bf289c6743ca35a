//! Endpoints of an account get no webhooks about another account.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, ensure_met};
use crate::inbox::HookRequest;
use crate::steps::hooks::{article_hook, lead_hook};
use crate::steps::payloads::{ensure_unnamed, names};
use crate::steps::{credentials, lead_form};

const TWO: &[Capability] = &[Capability::HOOKS, Capability::JOBS, Capability::ISOLATION];

const LEADS: &[Capability] = &[Capability::HOOKS, Capability::LEAD_FORM, Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.isolation.own-only",
            "An account gets no webhooks about another account's articles.",
            &[
                Sentence(
                    "Sent in real time to every active endpoint that chose this type and this website, after the API \
                    shows the article.",
                ),
                Part("/x-limits/hook_endpoints/per"),
                Sentence("An endpoint receives only the events of its account."),
                Sentence("A key reaches only the data of its account."),
            ],
            own_only,
        )
        .needs(TWO)
        .background(),
        Requirement::new(
            "hooks.isolation.own-leads-only",
            "An account gets no webhooks about leads that another account's website captured.",
            &[
                Sentence("Sent in real time to every active endpoint that chose this type and this website."),
                Part("/x-limits/hook_endpoints/per"),
                Sentence("An endpoint receives only the events of its account."),
                Sentence("A key reaches only the data of its account."),
            ],
            own_leads_only,
        )
        .needs(LEADS)
        .background(),
    ]
}

async fn own_only(context: Context, _: Value) -> Verdict {
    let job = credentials::published_by_other(&context, "Reading a barograph").await?;
    article_hook(&context).await?;
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    for foreign in [demand::text(&job, "job_id")?, demand::text(&job, "article_id")?, &website_id] {
        let log = context.hooks()?;
        let is_named = |seen: &[HookRequest]| seen.iter().any(|hook| names(hook, foreign));
        let seen = log.wait_for(foreign, context.quiet() / 2, is_named).await;
        ensure_unnamed(&seen, foreign, format!("no webhook about the other account's {foreign}"))?;
    }
    Ok(())
}

async fn own_leads_only(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().other_website_id.clone().unwrap_or_default();
    let marker = context.fresh("foreign");
    let form = lead_form::request(&context, "POST", &website_id)?;
    let exchange = context.send(form.json(&json!({ "email": format!("{marker}@example.com") }))).await?;
    ensure_met(exchange.succeeded(), "the other account's website accepts no lead")?;
    // By now a webhook about the foreign lead would at least be on its way.
    lead_hook(&context, "after the foreign one").await?;
    let seen = context.hooks()?.wait_for(&marker, context.quiet(), |seen| !seen.is_empty()).await;
    ensure(seen.is_empty(), "no webhook about a lead of the other account", || demand::beginning(&seen[0].body))
}
