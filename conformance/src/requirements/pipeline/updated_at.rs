//! `updated_at` of an entry follows its changes.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::steps::pipeline;
use crate::steps::publishing::{SKEW, limit, scheduled};
use crate::steps::times::{moment, written_at};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pipeline.updated-at.follows-change",
            "updated_at of an entry tells when it last changed: for a published entry it is not before published_at, give or take a second.",
            "openapi.yaml, ScheduledPost updated_at",
            entry,
        )
        .needs(BOTH).background(),
    ]
}

async fn entry(context: Context, _: Value) -> Verdict {
    let (job_id, _) = scheduled(&context, "Filing a letter").await?;
    let entry = pipeline::settled(&context, &job_id, &["published"], limit(&context)).await?;
    let (updated, published) = (moment(&entry, "updated_at")?, moment(&entry, "published_at")?);
    ensure(updated + SKEW >= published, format!("updated_at not before {}", written_at(published)), || {
        written_at(updated)
    })
}
