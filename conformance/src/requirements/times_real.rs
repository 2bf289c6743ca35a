//! What times say: the moment at which something is made is about the moment of the answer, by the server's own clock.
//!
//! How times are written is in `times`, which comes before which in `jobs`.

use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::leads;
use super::requirement::Requirement;
use super::steps;
use super::steps_hooks;
use super::steps_lists;
use super::steps_times::{date_of, near, server_now};
use super::verdict::{Halt, Verdict};

const JOBS: &[Capability] = &[Capability::Jobs];
const CAPTURE: &[Capability] = &[Capability::Leads, Capability::Capture];
const HOOKS: &[Capability] = &[Capability::Hooks, Capability::Capture];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.times.real",
            "created_at is when the job was queued and finished_at when it ended, in UTC: within five minutes of the Date of the answers that tell them first. The pipeline entry says the same.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and Job",
            jobs,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.times.real",
            "created_at is when the article was written and updated_at when it last changed, in UTC: within five minutes of the Date of the answer that shows it first.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and ArticleSummary",
            articles,
        )
        .needs(JOBS),
        Requirement::must(
            "leads.times.real",
            "captured_at is when the lead was captured and consent.at when consent was given, in UTC: within five minutes of the Date of the answer that shows them first.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and Lead",
            captured,
        )
        .needs(CAPTURE),
        Requirement::must(
            "hooks.times.real",
            "timestamp of a hook is when it happened, in UTC: within five minutes of the Date of an answer at that moment.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and HookEnvelope",
            hooks,
        )
        .needs(HOOKS)
        .background(),
    ]
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting a clock right");
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    let begun = date_of(&queued)?;
    near(demand::json(&queued)?, "created_at", begun)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    if context.facts().capabilities.contains(&Capability::Pipeline) {
        for entry in steps_lists::entries_of(&context, &job_id).await? {
            near(&entry, "created_at", begun)?;
        }
    }
    let job = steps::finished(&context, &job_id).await?;
    near(demand::json(&job)?, "created_at", begun)?;
    near(demand::json(&job)?, "finished_at", date_of(&job)?)
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Setting a watch right")).await?;
    let date = date_of(&article)?;
    near(demand::json(&article)?, "created_at", date)?;
    near(demand::json(&article)?, "updated_at", date)
}

async fn captured(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("clock"));
    let lead = leads::captured(&context, &email, "Robin Clock", "what time is it").await?;
    let exchange = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    demand::status(&exchange, 200)?;
    let (lead, date) = (demand::json(&exchange)?, date_of(&exchange)?);
    near(lead, "captured_at", date)?;
    // Null where the form does not ask for consent.
    if lead["consent"]["at"].is_null() { Ok(()) } else { near(&lead["consent"], "at", date) }
}

async fn hooks(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("hook");
    steps::capture(&context, &format!("{marker}@example.com"), "Robin Clock", "what time is it").await?;
    let date = server_now(&context).await?;
    let hook = steps_hooks::first_of_ordinary_lead(&context, &marker).await?;
    let envelope = hook.json().ok_or_else(|| Halt::fail("a JSON body", "none"))?;
    near(&envelope, "timestamp", date)
}
