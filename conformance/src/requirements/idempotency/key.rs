//! Which texts are a key.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::control;
use crate::steps::draws::index_of;
use crate::steps::keyed::{first, keyed};
use crate::strategies::Space;

const SOURCE: &str = "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey";

/// What no key may be.
const MALFORMED: [&str; 9] =
    ["two words", "a,b", "a;b", "a\\b", "a\"b", "\"\"", "\"two words\"", "\"a\\n\"", "\"a\" \"b\""];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("idempotency.key.quoted", "A key means the same with and without quotes: k and \"k\" are one key.", "RFC 8941, section 3.3.3; openapi.yaml, IdempotencyKey", quoted),
        Requirement::must("idempotency.key.malformed", "A malformed key is answered 400 invalid_header: empty, over 255 characters, not visible ASCII, with parameters, or in two header lines.", SOURCE, malformed)
            .drawn("malformed keys", Cases::Exactly(7), |space, draw| malformed_key(space, draw.index())),
        Requirement::must("idempotency.key.longest", "A key may have 255 characters, and every one of them counts.", SOURCE, longest)
            .drawn("the greatest length", Cases::Exactly(1), |space, _| json!(greatest(space))),
        Requirement::must(
            "idempotency.key.characters",
            "A key with a blank, comma, semicolon, backslash or quote, or an empty quoted key, is answered 400 invalid_header.",
            "openapi.yaml, IdempotencyKey, pattern",
            characters,
        )
        .drawn("malformed keys", Cases::Listed(|space| against_pattern(space).len()), |space, draw| {
            let all = against_pattern(space);
            json!(all[draw.index() % all.len()])
        }),
        Requirement::must(
            "idempotency.key.quoted-longest",
            "Quotes do not count towards the 255 characters of a key.",
            "openapi.yaml, IdempotencyKey and x-limits idempotency_key_length",
            quoted_longest,
        )
        .drawn("the greatest length", Cases::Exactly(1), |space, _| json!(greatest(space))),
        Requirement::must(
            "idempotency.key.ends",
            "Every key that keeps the pattern is taken: the shortest and the longest, bare or quoted, with escapes.",
            "openapi.yaml, IdempotencyKey, pattern",
            ends,
        )
        .drawn("keys at the ends of the pattern", Cases::Exactly(1), |space, draw| {
            json!(space.keys_at_ends(draw))
        }),
    ]
}

/// How long a key may be.
fn greatest(space: &Space) -> usize {
    space.document().limit_number("idempotency_key_length", "maximum")
}

/// What no key may be, among it what is one beyond a part of the pattern.
fn against_pattern(space: &Space) -> Vec<String> {
    MALFORMED.iter().map(ToString::to_string).chain(space.keys_beyond().to_vec()).collect()
}

async fn quoted(context: Context, _: Value) -> Verdict {
    let (body, key, first) = first(&context, "Oiling a hinge").await?;
    let again = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])
}

/// A malformed key, or `null` for two keys in two lines.
fn malformed_key(space: &Space, index: usize) -> Value {
    let least = space.document().limit_number("idempotency_key_length", "minimum");
    let too_short = "k".repeat(least.saturating_sub(1));
    let too_long = "k".repeat(greatest(space) + 1);
    let quoted = format!("\"{too_long}\"");
    let keys = [&*too_short, &too_long, &quoted, "k\u{e9}y", "\"unfinished", "\"key\";a=1"];
    keys.get(index % (keys.len() + 1)).map_or(Value::Null, |key| json!(key))
}

async fn malformed(context: Context, key: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Malformed key");
    let lines =
        key.as_str().map_or_else(|| vec![context.fresh("one"), context.fresh("two")], |key| vec![key.to_owned()]);
    let request = steps::generate(&body);
    let request = lines.into_iter().fold(request, |request, line| request.header("idempotency-key", line));
    let exchange = context.send(request).await?;
    if exchange.succeeded() {
        steps::discard(&context, &exchange).await?;
    }
    demand::problem(&exchange, 400, &["invalid_header"])?;
    control::accepted(&context, keyed(&body, &context.fresh("right"))).await
}

async fn longest(context: Context, length: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Winding a clock");
    let unique = context.fresh("k");
    let length = index_of(&length);
    let long = format!("{unique}{}", "l".repeat(length.saturating_sub(unique.len())));
    let exchange = context.send(keyed(&body, &long)).await?;
    demand::status(&exchange, 202)?;
    let again = context.send(keyed(&body, &long)).await?;
    demand::same("job_id", &demand::json(&exchange)?["job_id"], &demand::json(&again)?["job_id"])?;
    let other = context.send(keyed(&body, &format!("{}m", &long[..long.len() - 1]))).await?;
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
    demand::problem(&exchange, 400, &["invalid_header"])?;
    control::accepted(&context, keyed(&body, &context.fresh("right"))).await
}

async fn ends(context: Context, keys: Value) -> Verdict {
    // The same order for each key of every run: a key that was used before is a repeat of it.
    let body = steps::quiet_request(&context, "Naming a call in every way");
    for key in keys.as_array().into_iter().flatten() {
        let exchange = context.send(keyed(&body, key.as_str().unwrap_or_default())).await?;
        // Whoever used so short a key before shows that it is one.
        if exchange.code() == Some("idempotency_mismatch") {
            continue;
        }
        demand::success(&exchange)?;
        steps::discard(&context, &exchange).await?;
    }
    Ok(())
}

async fn quoted_longest(context: Context, length: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Naming a call at length");
    let unique = context.fresh("q");
    let key = format!("{unique}{}", "q".repeat(index_of(&length).saturating_sub(unique.len())));
    let first = context.send(keyed(&body, &format!("\"{key}\""))).await?;
    demand::status(&first, 202)?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    steps::discard(&context, &first).await
}
