//! Ids that name no scheduled post.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::operations::unknown_id;

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "pipeline.unknown.not-found",
            "GET /scheduled_posts/{scheduled_post_id} with an unknown id gets 404 scheduled_post_not_found.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .needs(PIPELINE)
        .drawn("ids that name nothing", Cases::Divided(4), |space, draw| unknown_id(space, "get_scheduled_post", draw)),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let path = format!("/scheduled_posts/{}", id.as_str().unwrap_or("x"));
    let exchange = context.send(Request::new("get_scheduled_post", "GET", &path)).await?;
    demand::problem(&exchange, 404, &["scheduled_post_not_found"])?;
    control::entry(&context).await
}
