//! ETag of a job, and conditional requests.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::at_work::seen_at_work;
use crate::steps::conditional::differ;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.etag.follows-change",
            "The ETag of a job changes whenever the job does.",
            &[Sentence("Strong validator of this representation."), Standard("RFC 9110", "8.8.1")],
            job,
        )
        .needs(JOBS),
        Requirement::new(
            "jobs.etag.not-modified",
            "GET /jobs/{job_id} with the current ETag in If-None-Match gets 304 without a body, and with another tag 200.",
            &[
                Sentence("If the copy is still current, the response is 304 without a body."),
                Part("/components/responses/NotModified/headers/ETag"),
                Standard("RFC 9110", "13.1.2"),
                Standard("RFC 9110", "15.4.5"),
            ],
            not_modified,
        )
        .needs(JOBS),
    ]
}

async fn job(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Setting up a tent in the rain");
    let (job_id, early) = seen_at_work(&context, &body).await?;
    let late = steps::finished(&context, &job_id).await?;
    differ(&early, &late)
}

/// Returns the tag without the mark of a weak one (RFC 9110, section 8.8.3.2).
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

async fn not_modified(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Folding a fitted sheet");
    let job_id = steps::queue(&context, &body).await?;
    let first = steps::finished(&context, &job_id).await?;
    let tag = demand::header(&first, "etag")?.to_owned();
    for matching in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
        let request = steps::get_job(&job_id).header("if-none-match", matching);
        let exchange = context.send(request).await?;
        demand::status(&exchange, 304)?;
        ensure(exchange.body.is_empty(), "no body in a 304", || demand::seen(&exchange))?;
        let told = demand::header(&exchange, "etag")?;
        demand::same("ETag of the 304", &json!(opaque(&tag)), &json!(opaque(told)))?;
    }
    let request = steps::get_job(&job_id).header("if-none-match", "\"other\"");
    demand::status(&*context.send(request).await?, 200)
}
