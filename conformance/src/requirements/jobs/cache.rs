//! Caching of a job.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.cache.private",
            "The response with a job has Cache-Control: private, no-cache and a strong ETag.",
            &[
                Sentence(
                    "`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other \
                     than leads; `no-store` in all other responses, also in errors.",
                ),
                Sentence("Strong validator of this representation."),
            ],
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
    let control = header_fields::joined(&exchange.headers, "cache-control");
    let holds = ["private", "no-cache"].iter().all(|name| header_fields::has_directive(&control, name));
    ensure(holds, "Cache-Control: private, no-cache", || control.clone())?;
    let tag = demand::header(&exchange, "etag")?;
    ensure(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "a strong ETag", || tag.to_owned())
}
