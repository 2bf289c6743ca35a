//! Maximum size of a request body in bytes.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::{control, large_bodies};
use crate::strategies::Space;

/// Returns the maximum size of a request body.
fn limit(space: &Space) -> usize {
    space.document().limit_number("request_body", "maximum")
}

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.size.too-large",
            "A body over 64 KiB is answered 413 payload_too_large.",
            &[
                Sentence("The body is larger than 64 KiB, or 16 KiB for a lead form."),
                Part("/x-limits/request_body/maximum"),
            ],
            too_large,
        )
        .drawn("sizes above the limit", Cases::Exactly(2), |space, draw| {
            json!([limit(space) + 1, limit(space) * 3 / 2][draw.index() % 2])
        }),
        Requirement::new(
            "generate.size.at-the-limit",
            "A body of exactly 64 KiB is accepted.",
            &[Part("/x-limits/request_body/maximum"), Sentence("Size of a request body.")],
            at_the_limit,
        )
        .drawn("the limit", Cases::Exactly(1), |space, _| json!(limit(space))),
    ]
}

async fn too_large(context: Context, size: Value) -> Verdict {
    let exchange = large_bodies::send(&context, sized(&context, index_of(&size))).await?;
    demand::problem(&exchange, 413, &["payload_too_large"])?;
    control::accepted(&context, sized(&context, 1_000)).await
}

async fn at_the_limit(context: Context, size: Value) -> Verdict {
    let exchange = context.send(sized(&context, index_of(&size))).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

/// Returns a valid request, padded to `size` bytes with an unknown field.
fn sized(context: &Context, size: usize) -> Request {
    let mut body = steps::quiet_request(context, "As large as it may be");
    body["padding"] = json!("");
    let missing = size.saturating_sub(body.to_string().len());
    body["padding"] = json!("p".repeat(missing));
    steps::generate(&body)
}
