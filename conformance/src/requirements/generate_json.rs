//! `POST /generate` with bodies that are not acceptable JSON, the wrong media type, or too large.
//!
//! JSON that breaks the schema is in `generate_invalid`.

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::Verdict;
use crate::strategies::malformed_bodies;

const PROBLEMS: &str = "openapi.yaml, x-problem-codes";

/// The documented limit of a request body.
const BODY_LIMIT: usize = 64 * 1024;

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.json.malformed",
            "A body that is not one JSON object is refused with 400 invalid_json: also with duplicate names at any depth, a byte order mark, unpaired surrogates or nesting over 128.",
            "RFC 8259; openapi.yaml, x-problem-codes",
            malformed,
        )
        .drawn(
            "truncated, doubled, deep, non-UTF-8 and other malformed bodies",
            Cases::Listed(|_| malformed_bodies("{}").len()),
            |_, draw| json!(draw.index()),
        ),
        Requirement::must(
            "generate.media-type.required",
            "A body that is not declared as application/json is refused with 415 unsupported_media_type.",
            "RFC 9110, section 15.5.16; openapi.yaml, x-problem-codes",
            media_type,
        )
        .drawn("other media types and none", Cases::Exactly(8), |_, draw| json!(draw.index())),
        Requirement::must(
            "generate.size.too-large",
            "A body over 64 KiB is refused with 413 payload_too_large.",
            PROBLEMS,
            too_large,
        )
        .drawn("sizes above the limit", Cases::Exactly(3), |_, draw| {
            json!([BODY_LIMIT + 1, 100_000, 300_000][draw.index() % 3])
        }),
        Requirement::must(
            "generate.size.at-the-limit",
            "A body of exactly 64 KiB is not too large.",
            "openapi.yaml, x-limits",
            at_the_limit,
        ),
        Requirement::must(
            "generate.order.media-type-before-json",
            "The media type is checked before the JSON, and the JSON before the schema.",
            "openapi.yaml, info.description",
            order,
        ),
    ]
}

fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}

async fn malformed(context: Context, case: Value) -> Verdict {
    let good = steps::quiet_request(&context, "Malformed on purpose").to_string();
    let all = malformed_bodies(&good);
    let chosen = &all[index_of(&case) % all.len()];
    let mut request = steps::generate(&Value::Null);
    request.body = Some(chosen.bytes.clone().into());
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_json"]).map_err(|halt| match halt {
        super::verdict::Halt::Fail(mut finding) => {
            finding.expected = format!("{} for {}", finding.expected, chosen.name);
            super::verdict::Halt::Fail(finding)
        }
        other => other,
    })
}

async fn media_type(context: Context, case: Value) -> Verdict {
    let types = [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("text/json"),
        Some("application/jsonp"),
        Some("multipart/form-data; boundary=x"),
        Some("application/xml"),
        Some("json"),
    ];
    let mut request = steps::generate(&steps::quiet_request(&context, "Wrong media type"));
    request.headers.clear();
    if let Some(media_type) = types[index_of(&case) % types.len()] {
        request = request.header("content-type", media_type);
    }
    let exchange = context.send(request).await?;
    demand::problem(&exchange, 415, &["unsupported_media_type"])
}

async fn too_large(context: Context, size: Value) -> Verdict {
    let exchange = context.send(sized(&context, index_of(&size))).await?;
    demand::problem(&exchange, 413, &["payload_too_large"])
}

async fn at_the_limit(context: Context, _: Value) -> Verdict {
    let exchange = context.send(sized(&context, BODY_LIMIT)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

/// A valid request padded to `size` bytes with an unknown member.
fn sized(context: &Context, size: usize) -> super::exchange::Request {
    let mut body = steps::quiet_request(context, "As large as it may be");
    body["padding"] = json!("");
    let missing = size.saturating_sub(body.to_string().len());
    body["padding"] = json!("p".repeat(missing));
    steps::generate(&body)
}

async fn order(context: Context, _: Value) -> Verdict {
    let mut request = steps::generate(&Value::Null);
    request.headers.clear();
    request.body = Some("{".into());
    let exchange = context.send(request.header("content-type", "text/plain")).await?;
    demand::problem(&exchange, 415, &["unsupported_media_type"])?;
    let mut request = steps::generate(&Value::Null);
    request.body = Some("{\"topic\":\"\",}".into());
    let exchange = context.send(request).await?;
    demand::problem(&exchange, 400, &["invalid_json"])
}
