//! Ids are compared with their case.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, ensure_met};
use crate::steps;
use crate::steps::near_ids::{elsewhere, places};

const SOURCE: &str = "openapi.yaml, info.description, Conventions: ids are opaque strings";

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "ids.case.distinct",
            "Ids are case-sensitive: an id in another case does not lead to the same record.",
            SOURCE,
            other_case,
        )
        .should()
        .needs(JOBS),
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
