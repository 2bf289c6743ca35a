//! Who may keep a job: the caller alone.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.cache.private",
            "A job is served with Cache-Control: private, no-cache and a strong ETag.",
            "RFC 9111, section 5.2.2; openapi.yaml, get_job",
            cache,
        )
        .needs(JOBS),
    ]
}

async fn cache(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Choosing a watering can");
    let queued = context.send(steps::generate(&body)).await?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let exchange = context.send(steps::get_job(&job_id)).await?;
    let control = demand::header(&exchange, "cache-control")?;
    ensure(control.contains("private") && control.contains("no-cache"), "Cache-Control: private, no-cache", || {
        control.to_owned()
    })?;
    let tag = demand::header(&exchange, "etag")?;
    ensure(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "a strong ETag", || tag.to_owned())
}
