//! An id of one kind names nothing at the place of another kind.

use serde_json::Value;

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand};
use crate::steps::{self, lists};

const ALL: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "ids.kinds.own-place",
            "An id of one kind of record is not found among another kind: a lead's id names no job.",
            "openapi.yaml, paths",
            own_place,
        )
        .needs(ALL),
    ]
}

async fn own_place(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("kinds"));
    let lead = steps::leads::captured(&context, &email, "Robin Kind", "hello").await?;
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "A place for everything")).await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = lists::entries_of(&context, job_id).await?;
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
    for id in [job_id, lead_id, website_id, article_id] {
        let read = context.send(steps::get_scheduled_post(id)).await?;
        demand::problem(&read, 404, &["scheduled_post_not_found"])?;
    }
    for id in [job_id, post_id, website_id, article_id] {
        demand::problem(&*context.send(steps::get_lead(id)).await?, 404, &["lead_not_found"])?;
    }
    Ok(())
}
