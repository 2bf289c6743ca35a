//! Which keys are one key, which bodies one body, and which keys are none.
//!
//! What a repeat is answered with is in `idempotency`.

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::Verdict;

const SOURCE: &str = "openapi.yaml, info.description, Idempotency, and IdempotencyKey";

/// What no key may be.
const MALFORMED: [&str; 9] =
    ["two words", "a,b", "a;b", "a\\b", "a\"b", "\"\"", "\"two words\"", "\"a\\n\"", "\"a\" \"b\""];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "idempotency.key.characters",
            "A bare key has no blank, comma, semicolon, backslash or quote, and a quoted one is not empty: else it is 400 invalid_header.",
            "openapi.yaml, IdempotencyKey, pattern",
            malformed,
        )
        .drawn("malformed keys", Cases::Exactly(9), |_, draw| json!(MALFORMED[draw.index() % MALFORMED.len()])),
        Requirement::must(
            "idempotency.key.quoted-longest",
            "The quotes do not count: 255 characters in quotes are a key, the same as without.",
            "openapi.yaml, IdempotencyKey and x-limits idempotency_key_length",
            quoted_longest,
        ),
        Requirement::must(
            "idempotency.replay.equal-values",
            "A body is the same when it says the same: letters written as escapes and members below in another order are a repeat.",
            SOURCE,
            equal_values,
        ),
        Requirement::must(
            "idempotency.mismatch.order-of-items",
            "A list in another order is another body: 422 idempotency_mismatch.",
            SOURCE,
            order_of_items,
        ),
        Requirement::must(
            "idempotency.mismatch.unicode-form",
            "Topics that only look alike are two bodies: a letter with its accent and the same letter before a combining one is 422 idempotency_mismatch.",
            SOURCE,
            unicode_form,
        ),
    ]
}

fn keyed(body: &Value, key: &str) -> Request {
    steps::generate(body).header("idempotency-key", key)
}

async fn malformed(context: Context, key: Value) -> Verdict {
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

async fn equal_values(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Painting a door");
    body["metadata"] = json!({ "a": "1", "b": "/" });
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    let website_id = &body["website_id"];
    let text = format!(
        "{{\"metadata\":{{\"b\":\"\\/\",\"\\u0061\":\"1\"}},\"topic\":\"\\u0050ainting a door\",\"website_id\":{website_id},\"auto_publish\":false,\"target_word_count\":200}}"
    );
    let mut request = keyed(&body, &key);
    request.body = Some(text.into());
    let again = context.send(request).await?;
    demand::status(&again, first.status)?;
    demand::same("job_id", &demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"])?;
    steps::discard(&context, &first).await
}

async fn order_of_items(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Painting a gate");
    body["keywords"] = json!(["primer", "varnish"]);
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    body["keywords"] = json!(["varnish", "primer"]);
    let exchange = context.send(keyed(&body, &key)).await?;
    steps::discard(&context, &first).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])
}

async fn unicode_form(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Opening a caf\u{e9}");
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    body["topic"] = json!("Opening a cafe\u{301}");
    let exchange = context.send(keyed(&body, &key)).await?;
    steps::discard(&context, &first).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])
}
