//! Ids that are almost those of something real lead nowhere.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict};
use crate::steps;
use crate::steps::near_ids::{elsewhere, places};

const SOURCE: &str = "openapi.yaml, info.description, Conventions: ids are opaque strings";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "ids.near.not-found",
            "An id is matched exactly: with a character less or more, a blank or a NUL, it does not lead to the same record.",
            SOURCE,
            near,
        )
        .needs(JOBS),
    ]
}

async fn near(context: Context, _: Value) -> Verdict {
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
            elsewhere(&context, place, &segment).await?;
        }
    }
    Ok(())
}
