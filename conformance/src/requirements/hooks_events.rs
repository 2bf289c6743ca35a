//! What happens once is one event, whenever it happens, and told whole.
//!
//! Repeats of a lead are in `hooks_leads`, the members of a hook about an article in `hooks_article`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::hook_log::HookRequest;
use super::hooks_leads::event_of;
use super::requirement::Requirement;
use super::steps;
use super::steps_articles;
use super::steps_capture;
use super::steps_endpoints::QUIET;
use super::steps_hooks::{article_hook, first_mention};
use super::steps_times::{server_now, written_at};
use super::verdict::{Verdict, ensure};

const ARTICLE: &[Capability] = &[Capability::Hooks, Capability::Jobs];
const FIELDS: &[Capability] = &[Capability::Hooks, Capability::LeadForm, Capability::Leads];

pub(super) fn requirements() -> Vec<Requirement> {
    let all = vec![
        Requirement::must(
            "hooks.article.one-event",
            "Publishing an article is one event: what tells of it again, to retry, has the same id.",
            "openapi.yaml, HookEnvelope: id",
            one_event,
        )
        .needs(ARTICLE),
        Requirement::must(
            "hooks.article.timed",
            "A hook is sent when an article finishes publishing, also when it had to wait for its publish_at.",
            "service description, section 6; openapi.yaml, GenerateRequest publish_at",
            timed,
        )
        .needs(ARTICLE),
        Requirement::must(
            "hooks.lead.every-field",
            "A body under 20 KiB holds all parts of the lead: each of twenty short fields is told.",
            "openapi.yaml, LeadCapturedData: left_out, x-limits hook_body_whole",
            every_field,
        )
        .needs(FIELDS),
    ];
    all.into_iter().map(Requirement::background).collect()
}

async fn one_event(context: Context, _: Value) -> Verdict {
    let article = steps_articles::published(&context, "Saying it once").await?;
    let id = demand::text(&article, "id")?;
    first_mention(&context, id).await?;
    // Another article may link to this one.
    let is_about = |hook: &&HookRequest| {
        hook.json().is_some_and(|body| body["type"] == "article.published" && body["data"]["article"]["id"] == id)
    };
    let events = |seen: &[HookRequest]| seen.iter().filter(is_about).filter_map(event_of).collect::<BTreeSet<_>>();
    // Once a later article's hook is here, a second one about this is on its way at the most.
    article_hook(&context).await?;
    let seen = context.hooks()?.wait_for(id, QUIET, |seen| events(seen).len() > 1).await;
    ensure(events(&seen).len() <= 1, "one event for one article", || format!("{} events", events(&seen).len()))
}

async fn timed(context: Context, _: Value) -> Verdict {
    let mut body = steps::published_request(&context, "An article that is announced in time");
    let at = server_now(&context).await? + chrono::Duration::seconds(3);
    body["publish_at"] = json!(written_at(at));
    let article = steps_articles::publication(&context, &body).await?;
    first_mention(&context, demand::text(&article, "id")?).await.map(|_| ())
}

async fn every_field(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("fields");
    let fields: Value = (0..20).map(|number| (format!("field_{number}"), json!(format!("text {number}")))).collect();
    let body = json!({ "email": format!("{marker}@example.com"), "fields": fields });
    let lead = steps_capture::captured(&context, &marker, &body).await?;
    let hook = first_mention(&context, &marker).await?.json().unwrap_or_default();
    demand::same("fields in the hook", &lead["fields"], &hook["data"]["lead"]["fields"])?;
    demand::same("left_out", &Value::Null, &hook["data"]["left_out"])
}
