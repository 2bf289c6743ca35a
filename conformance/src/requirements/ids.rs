//! Ids: none means anything at another's place, to another account, or for another job.
//!
//! Ids that nobody gave out are in `jobs`, `articles` and `leads`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Credential;
use super::requirement::{Cases, Pace, Requirement};
use super::steps;
use super::steps_articles;
use super::steps_lists;
use super::verdict::{Halt, Verdict, ensure};
use crate::spec::Profile;
use crate::strategies::Draw;

const TWO: &[Capability] = &[Capability::Isolation];
const ALL: &[Capability] = &[Capability::Jobs, Capability::Pipeline, Capability::Leads, Capability::Capture];
const JOBS: &[Capability] = &[Capability::Jobs, Capability::Pipeline];
const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

/// Ids that are probed at most, and how many at a time.
const PROBED: usize = 240;
const AT_ONCE: usize = 16;

pub(super) fn requirements() -> Vec<Requirement> {
    let mut every = Requirement::must(
        "isolation.ids.every",
        "No id that this run has seen means anything to another account.",
        SOURCE,
        every,
    )
    .core()
    .needs(TWO);
    every.pace = Pace::Last;
    every.from = "ids seen in the run";
    vec![
        every,
        Requirement::must("ids.kinds.own-place", "An id of one kind names nothing at the place of another kind.", "openapi.yaml, paths", own_place).needs(ALL),
        Requirement::must("ids.jobs.no-crosstalk", "Jobs that run at once keep their topic, keywords and metadata to themselves, in job, article and pipeline entry.", "openapi.yaml, Job, Article and ScheduledPost", no_crosstalk)
            .needs(JOBS)
            .drawn("2 to 8 jobs at once", Cases::Divided(32), |_, draw: &mut Draw| json!(draw.below(7) + 2)),
    ]
}

async fn every(context: Context, _: Value) -> Verdict {
    // Something to look at even when it runs alone.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Something of one's own"))).await?;
    demand::success(&queued)?;
    let own = ended_jobs(&context).await?;
    let seen = context.seen_ids();
    let step = seen.len().div_ceil(PROBED).max(1);
    let probed: Vec<&String> = own.iter().chain(seen.iter().rev().step_by(step)).collect();
    for some in probed.chunks(AT_ONCE) {
        futures::future::try_join_all(some.iter().map(|id| probe(&context, id))).await?;
    }
    steps::discard_where_possible(&context, &queued).await
}

/// Ids of a job that was cancelled and of one that has completed, with its article, where jobs can be read: a server that
/// looks at the state before the owner gives itself away with these only.
async fn ended_jobs(context: &Context) -> Result<Vec<String>, Halt> {
    if !context.facts().capabilities.contains(&Capability::Jobs) {
        return Ok(Vec::new());
    }
    let cancelled = steps::queue(context, &steps::quiet_request(context, "Nothing to be read by others")).await?;
    context.send(steps::cancel_job(&cancelled)).await?;
    let mut ended = steps_articles::readable_about(context, "Read by its owner only").await?;
    ended.push(cancelled);
    Ok(ended)
}

/// Reads and cancels as the other account whatever the id may name.
async fn probe(context: &Context, id: &str) -> Verdict {
    if context.document().profile() == Profile::Core {
        return steps_articles::hidden_from_other(context, id).await;
    }
    let requests = [
        (steps::get_article(id), "article_not_found"),
        (steps::get_job(id), "job_not_found"),
        (steps::cancel_job(id), "job_not_found"),
        (steps::get_lead(id), "lead_not_found"),
    ];
    for (request, code) in requests {
        let exchange = context.send(request.by(Credential::Other)).await?;
        demand::problem(&exchange, 404, &[code])?;
    }
    Ok(())
}

async fn own_place(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("kinds"));
    let lead = super::leads::captured(&context, &email, "Robin Kind", "hello").await?;
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "A place for everything")).await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = steps_lists::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a pipeline entry of the job", "none"))?;
    let lead_id = demand::text(&lead, "id")?;
    let article_id = demand::text(demand::json(&article)?, "id")?;
    let post_id = demand::text(entry, "id")?;
    let website_id = context.facts().website_id.as_str();
    for id in [lead_id, post_id, website_id] {
        demand::problem(&*context.send(steps::get_article(id)).await?, 404, &["article_not_found"])?;
    }
    for id in [lead_id, post_id, website_id, article_id] {
        demand::problem(&*context.send(steps::get_job(id)).await?, 404, &["job_not_found"])?;
        demand::problem(&*context.send(steps::cancel_job(id)).await?, 404, &["job_not_found"])?;
    }
    for id in [job_id, post_id, website_id, article_id] {
        demand::problem(&*context.send(steps::get_lead(id)).await?, 404, &["lead_not_found"])?;
    }
    Ok(())
}

async fn no_crosstalk(context: Context, count: Value) -> Verdict {
    let bodies: Vec<Value> = (0..count.as_u64().unwrap_or(2))
        .map(|number| {
            let mark = context.fresh("mark");
            let mut body = steps::quiet_request(&context, &format!("Sorting drawer {number} of many, {mark}"));
            body["keywords"] = json!([format!("drawer {number}")]);
            body["metadata"] = json!({ "mark": mark, "number": number.to_string() });
            body
        })
        .collect();
    let written = bodies.iter().map(|body| steps::written(&context, body));
    let mut seen = BTreeSet::new();
    for (body, (job, article)) in bodies.iter().zip(futures::future::try_join_all(written).await?) {
        let article = demand::json(&article)?;
        for member in ["topic", "metadata", "website_id"] {
            demand::same(&format!("{member} of the job"), &body[member], &job[member])?;
            demand::same(&format!("{member} of the article"), &body[member], &article[member])?;
        }
        // A writer may find words of its own, but not those of another job.
        let taken = bodies.iter().filter(|other| *other != body).map(|other| &other["keywords"][0]);
        let own = article["keywords"].as_array().cloned().unwrap_or_default();
        let crossed = taken.into_iter().find(|keyword| own.contains(keyword));
        ensure(crossed.is_none(), "no keyword of another job", || crossed.map_or_else(String::new, demand::brief))?;
        demand::same("job_id of the article", &job["job_id"], &article["job_id"])?;
        let entries = steps_lists::entries_of(&context, demand::text(&job, "job_id")?).await?;
        ensure(entries.len() == 1, "one pipeline entry of the job", || entries.len().to_string())?;
        demand::same("topic of the entry", &body["topic"], &entries[0]["topic"])?;
        demand::same("article_id of the entry", &article["id"], &entries[0]["article_id"])?;
        ensure(seen.insert(article["id"].to_string()), "an article of its own", || article["id"].to_string())?;
    }
    Ok(())
}
