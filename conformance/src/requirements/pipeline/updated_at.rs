//! `updated_at` of a scheduled post: the time of its last change.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, ensure};
use crate::steps::pipeline;
use crate::steps::publishing::{SKEW, limit, scheduled};
use crate::steps::times::{moment, written_at};

const BOTH: &[Capability] = &[Capability::PIPELINE, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.updated-at.follows-change",
            "updated_at of a scheduled post is the time of its last change: once published, it is not before \
            published_at, with a tolerance of one second.",
            &[Sentence("When it last changed."), Sentence("When the article was published.")],
            entry,
        )
        .needs(BOTH)
        .background(),
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
