//! Letter case of ids.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Capability, Context, Requirement, Verdict, ensure_met};
use crate::steps;
use crate::steps::near_ids::{elsewhere, places};

const JOBS: &[Capability] = &[Capability::JOBS];

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
