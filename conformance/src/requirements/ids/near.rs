//! Ids that differ by one character from the id of a record.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Verdict};
use crate::steps;
use crate::steps::near_ids::{elsewhere, places};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
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
    ]
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
