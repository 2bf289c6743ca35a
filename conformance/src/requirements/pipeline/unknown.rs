//! Ids that name no scheduled post.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict};
use crate::steps::control;
use crate::steps::operations::{unknown_id, unknown_refused};

const PIPELINE: &[Capability] = &[Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.unknown.not-found",
            "GET /scheduled_posts/{scheduled_post_id} with an unknown id gets 404 scheduled_post_not_found. An id that HTTP \
            libraries may refuse gets any 4xx.",
            &[
                Sentence("There is no such scheduled post."),
                Part("/x-problem-codes/scheduled_post_not_found"),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            unknown,
        )
        .needs(PIPELINE)
        .drawn("ids that name nothing", Cases::Divided(4), |space, draw| unknown_id(space, "get_scheduled_post", draw)),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // The drawn segment is already percent-encoded.
    let exchange = context.send(Request::new("get_scheduled_post", "GET", &format!("/scheduled_posts/{id}"))).await?;
    unknown_refused(&exchange, id, "scheduled_post_not_found")?;
    control::entry(&context).await
}
