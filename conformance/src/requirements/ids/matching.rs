//! Ids match exactly: no other letter case, no other character and no other kind of record.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{About as _, Capability, Context, Halt, Request, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::operations::{elsewhere, places};
use crate::steps::{self, pipeline};

const JOBS: &[Capability] = &[Capability::JOBS];

const ALL: &[Capability] = &[Capability::JOBS, Capability::PIPELINE, Capability::LEADS, Capability::CAPTURE];

/// Fields in which an article has an id by which it can be read, and the codes if there is no article.
const ARTICLE: &[&str] = &["id", "job_id"];
const ARTICLE_CODES: &[&str] = &["article_not_found", "article_not_ready", "generation_failed", "generation_cancelled"];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "ids.case.distinct",
            "Ids are case-sensitive: an id in another letter case does not return the same record.",
            &[
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Sentence("A path with a trailing slash or in another letter case is an unknown route."),
                Standard("RFC 3986", "6.2.2.1"),
            ],
            other_case,
        )
        .needs(JOBS),
        Requirement::new(
            "ids.near.not-found",
            "Ids match exactly: an id with a character removed or added, such as a space or NUL, does not return the same record.",
            &[
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            near,
        )
        .needs(JOBS),
        Requirement::new(
            "ids.kinds.own-place",
            "The id of one kind of record names no record of another kind: in the path of another kind it gets 404, or a record that has this very id itself. Ids of different kinds may be equal.",
            &[
                Sentence("Id of the article or of the job that wrote it."),
                Sentence("Id of the job."),
                Sentence("Id of the scheduled post."),
                Sentence("Id of the lead."),
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
            ],
            own_place,
        )
        .needs(ALL),
    ]
}

async fn other_case(context: Context, _: Value) -> Verdict {
    let places = places(&context).await?;
    let mut count = 0;
    for place in &places {
        for other in [place.3.to_uppercase(), place.3.to_lowercase()].iter().filter(|other| **other != place.3) {
            elsewhere(&context, place, &steps::segment(other)).await?;
            count += 1;
        }
    }
    ensure_met(count > 0, "the ids have no letters")
}

async fn near(context: Context, _: Value) -> Verdict {
    // A proxy may refuse some of these paths. They decide nothing, and the others do.
    let (mut refusal, mut decided) = (None, 0);
    for place in &places(&context).await? {
        let id = &place.3;
        let cut: String = id.chars().take(id.chars().count().saturating_sub(1)).collect();
        let mut segments: Vec<String> =
            ["a", "%20", "%00", "%0A", "%00x"].iter().map(|end| format!("{}{end}", steps::segment(id))).collect();
        segments.push(format!("%20{}", steps::segment(id)));
        if !cut.is_empty() {
            segments.push(steps::segment(&cut));
        }
        for segment in segments {
            match elsewhere(&context, place, &segment).await {
                Err(Halt::Proxied(reason)) => refusal = Some(Halt::Proxied(reason)),
                verdict => {
                    verdict?;
                    decided += 1;
                }
            }
        }
    }
    refusal.filter(|_| decided == 0).map_or(Ok(()), Err)
}

async fn own_place(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("kinds"));
    let lead = steps::leads::captured(&context, &email, "Robin Kind", "hello").await?;
    let (job, article) = steps::written(&context, &steps::quiet_request(&context, "A place for everything")).await?;
    let job_id = demand::text(&job, "job_id")?;
    let entries = pipeline::entries_of(&context, job_id).await?;
    let entry = entries.first().ok_or_else(|| Halt::fail("a scheduled post of the job", "none"))?;
    let lead_id = demand::text(&lead, "id")?;
    let article_id = demand::text(demand::json(&article)?, "id")?;
    let post_id = demand::text(entry, "id")?;
    let website_id = context.facts().website_id.as_str();
    for id in others(&[job_id, article_id], &[lead_id, post_id, website_id]) {
        is_other_record(&context, steps::get_article(id), id, ARTICLE, ARTICLE_CODES).await?;
    }
    for id in others(&[job_id], &[lead_id, post_id, website_id, article_id]) {
        // Cancels only jobs that do not exist.
        if !is_other_record(&context, steps::get_job(id), id, &["job_id"], &["job_not_found"]).await? {
            demand::problem(&*context.send(steps::cancel_job(id)).await?, 404, &["job_not_found"])?;
        }
    }
    for id in others(&[post_id], &[job_id, lead_id, website_id, article_id]) {
        is_other_record(&context, steps::get_scheduled_post(id), id, &["id"], &["scheduled_post_not_found"]).await?;
    }
    for id in others(&[lead_id], &[job_id, post_id, website_id, article_id]) {
        is_other_record(&context, steps::get_lead(id), id, &["id"], &["lead_not_found"]).await?;
    }
    Ok(())
}

/// Returns the ids of other kinds that are not among the `own` ids of a kind.
fn others<'id>(own: &[&str], ids: &[&'id str]) -> Vec<&'id str> {
    ids.iter().copied().filter(|id| !own.contains(id)).collect()
}

/// Demands that a request with the id of another kind gets 404 with one of these codes, or a record that has the id in one of these
/// fields. Returns true if there is such a record.
async fn is_other_record(
    context: &Context,
    request: Request,
    id: &str,
    fields: &[&str],
    codes: &[&str],
) -> Result<bool, Halt> {
    let read = context.send(request).await?;
    if !read.succeeded() {
        demand::problem(&read, 404, codes)?;
        return Ok(false);
    }
    let record = demand::json(&read)?;
    let has_id = fields.iter().any(|field| record[*field] == id);
    ensure(has_id, format!("404, or a record with the id {id}"), || demand::seen(&read)).about(&read)?;
    Ok(true)
}
