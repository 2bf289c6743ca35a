//! Metadata of articles: all of it, and their own.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Context, Requirement, Verdict, demand};
use crate::steps;

const JOBS: &[Capability] = &[Capability::JOBS];

const SOURCE: &str = "openapi.yaml, GenerateRequest metadata: echoed in the job, the article and hooks";

/// As many members as metadata may have.
const MEMBERS: usize = 16;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.metadata.every-member",
            "Metadata with 16 members is repeated completely in the answer to generate, in the job and in the article.",
            SOURCE,
            every_member,
        )
        .needs(JOBS),
        Requirement::must(
            "articles.metadata.own",
            "An article repeats the metadata of its own request, even if another request for the same topic had other metadata.",
            SOURCE,
            own,
        )
        .needs(JOBS),
    ]
}

async fn every_member(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling shelves");
    body["metadata"] =
        (1..=MEMBERS).map(|number| (format!("label {number}"), json!(format!("value {number}")))).collect();
    let queued = context.send(steps::generate(&body)).await?;
    demand::success(&queued)?;
    demand::same("metadata of the answer", &body["metadata"], &demand::json(&queued)?["metadata"]).about(&queued)?;
    let (job, article) = steps::written(&context, &body).await?;
    steps::discard(&context, &queued).await?;
    demand::same("metadata of the job", &body["metadata"], &job["metadata"])?;
    demand::same("metadata of the article", &body["metadata"], &demand::json(&article)?["metadata"]).about(&article)
}

async fn own(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Labelling drawers");
    for number in ["1", "2"] {
        body["metadata"] = json!({ "order": context.fresh(number) });
        let (_, article) = steps::written(&context, &body).await?;
        demand::same("metadata", &body["metadata"], &demand::json(&article)?["metadata"]).about(&article)?;
    }
    Ok(())
}
