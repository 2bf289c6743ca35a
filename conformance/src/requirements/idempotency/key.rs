//! Which texts are a key.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::{first, keyed};

const SOURCE: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

/// What no key may be.
const MALFORMED: [&str; 9] =
    ["two words", "a,b", "a;b", "a\\b", "a\"b", "\"\"", "\"two words\"", "\"a\\n\"", "\"a\" \"b\""];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("idempotency.key.quoted", "k and \"k\" are one key.", "RFC 8941, section 3.3.3; openapi.yaml, IdempotencyKey", quoted),
        Requirement::must("idempotency.key.malformed", "A malformed key is refused with 400 invalid_header: empty, over 255, not visible ASCII, with parameters, or in two lines.", SOURCE, malformed)
            .drawn("malformed keys", Cases::Exactly(7), |_, draw| json!(draw.index())),
        Requirement::must("idempotency.key.longest", "A key of 255 characters works, and all of them count.", SOURCE, longest),
        Requirement::must(
            "idempotency.key.characters",
            "A bare key has no blank, comma, semicolon, backslash or quote, and a quoted one is not empty: else it is 400 invalid_header.",
            "openapi.yaml, IdempotencyKey, pattern",
            characters,
        )
        .drawn("malformed keys", Cases::Exactly(9), |_, draw| json!(MALFORMED[draw.index() % MALFORMED.len()])),
        Requirement::must(
            "idempotency.key.quoted-longest",
            "The quotes do not count: 255 characters in quotes are a key, the same as without.",
            "openapi.yaml, IdempotencyKey and x-limits idempotency_key_length",
            quoted_longest,
        ),
    ]
}

async fn quoted(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Oiling a hinge").await?;
    let again = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

async fn malformed(context: Context, case: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Malformed key");
    let long = "k".repeat(256);
    let quoted_long = format!("\"{long}\"");
    let values = ["", &long, &quoted_long, "k\u{e9}y", "\"unfinished", "\"key\";a=1", "two words"];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % values.len();
    let mut request = steps::generate(&body);
    if index + 1 == values.len() {
        request = request.header("idempotency-key", context.fresh("one"));
        request = request.header("idempotency-key", context.fresh("two"));
    } else {
        request = request.header("idempotency-key", values[index]);
    }
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_header"])
}

async fn longest(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Winding a clock");
    let unique = context.fresh("k");
    let long = format!("{unique}{}", "l".repeat(255 - unique.len()));
    let exchange = context.send(keyed(&body, &long)).await?;
    demand::status(&exchange, 202)?;
    let again = context.send(keyed(&body, &long)).await?;
    demand::same("job_id", &demand::json(&exchange)?["job_id"], &demand::json(&again)?["job_id"])?;
    let other = context.send(keyed(&body, &format!("{}m", &long[..254]))).await?;
    let jobs = [&exchange, &other].map(|exchange| exchange.json().map(|body| body["job_id"].clone()));
    ensure(jobs[0] != jobs[1], "another job for a key that differs in its last character", || demand::seen(&other))?;
    steps::discard(&context, &other).await?;
    steps::discard(&context, &exchange).await
}

async fn characters(context: Context, key: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming a call badly");
    let exchange = context.send(keyed(&body, key.as_str().unwrap_or_default())).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_header"])
}

async fn quoted_longest(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming a call at length");
    let unique = context.fresh("q");
    let key = format!("{unique}{}", "q".repeat(255 - unique.len()));
    let first = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::status(&first, 202)?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    steps::discard(&context, &first).await
}
