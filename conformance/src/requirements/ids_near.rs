//! Ids that are almost those of something real: cut, extended, in other letters. None may lead to it.
//!
//! Ids that nobody gave out are in `jobs`, `articles` and `leads`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Halt, Verdict, ensure};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, info.description, Conventions: ids are opaque strings";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "ids.near.not-found",
            "An id is taken whole and as it is: cut by a letter, with one more, a blank or a NUL at its end, it does not lead to the same record.",
            SOURCE,
            near,
        )
        .needs(JOBS),
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

/// The places of a job and of its article, each with the id that is right there.
async fn places(context: &Context) -> Result<[(&'static str, &'static str, &'static str, String); 2], Halt> {
    let (job, _) = steps::written(context, &steps::quiet_request(context, "Reading small print")).await?;
    Ok([
        ("get_job", "/jobs/", "job_id", demand::text(&job, "job_id")?.to_owned()),
        ("get_article", "/articles/", "id", demand::text(&job, "article_id")?.to_owned()),
    ])
}

/// What a short id names when it is changed may be something else that is there; it is not the same record.
async fn elsewhere(
    context: &Context,
    place: &(&'static str, &'static str, &'static str, String),
    segment: &str,
) -> Verdict {
    let (operation, path, member, id) = place;
    let exchange = context.send(Request::new(operation, "GET", &format!("{path}{segment}"))).await?;
    let is_same = exchange.succeeded() && demand::json(&exchange)?[*member] == json!(id);
    ensure(!is_same, format!("404 or another record for {segment}"), || demand::seen(&exchange))
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

async fn other_case(context: Context, _: Value) -> Verdict {
    for place in &places(&context).await? {
        for other in [place.3.to_uppercase(), place.3.to_lowercase()].iter().filter(|other| **other != place.3) {
            elsewhere(&context, place, &steps::segment(other)).await?;
        }
    }
    Ok(())
}
