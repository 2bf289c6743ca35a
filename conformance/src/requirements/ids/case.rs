//! Ids are compared with their case.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict};
use crate::steps;
use crate::steps::near_ids::{elsewhere, places};

const SOURCE: &str = "openapi.yaml, info.description, Conventions: ids are opaque strings";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "ids.case.distinct",
            "An id in other letters, large or small, does not lead to the same record.",
            SOURCE,
            other_case,
        )
        .should()
        .needs(JOBS),
    ]
}

async fn other_case(context: Context, _: Value) -> Verdict {
    for place in &places(&context).await? {
        for other in [place.3.to_uppercase(), place.3.to_lowercase()].iter().filter(|other| **other != place.3) {
            elsewhere(&context, place, &steps::segment(other)).await?;
        }
    }
    Ok(())
}
