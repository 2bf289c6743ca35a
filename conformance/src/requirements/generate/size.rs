//! How many bytes a request may have.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::strategies::Space;

const PROBLEMS: &str = "openapi.yaml, x-problem-codes";

/// The limit of a request body.
fn limit(space: &Space) -> usize {
    space.document().limit_number("request_body", "maximum")
}

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.size.too-large",
            "A body over 64 KiB is answered 413 payload_too_large.",
            PROBLEMS,
            too_large,
        )
        .drawn("sizes above the limit", Cases::Exactly(3), |space, draw| {
            json!([limit(space) + 1, limit(space) * 3 / 2, limit(space) * 5][draw.index() % 3])
        }),
        Requirement::must(
            "generate.size.at-the-limit",
            "A body of exactly 64 KiB is accepted.",
            "openapi.yaml, x-limits",
            at_the_limit,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| json!(limit(space))),
    ]
}

async fn too_large(context: Context, size: Value) -> Verdict {
    let exchange = context.send(sized(&context, index_of(&size))).await?;
    demand::problem(&exchange, 413, &["payload_too_large"])?;
    control::accepted(&context, sized(&context, 1_000)).await
}

async fn at_the_limit(context: Context, size: Value) -> Verdict {
    let exchange = context.send(sized(&context, index_of(&size))).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

/// A valid request padded to `size` bytes with an unknown member.
fn sized(context: &Context, size: usize) -> crate::check::Request {
    let mut body = steps::quiet_request(context, "As large as it may be");
    body["padding"] = json!("");
    let missing = size.saturating_sub(body.to_string().len());
    body["padding"] = json!("p".repeat(missing));
    steps::generate(&body)
}
