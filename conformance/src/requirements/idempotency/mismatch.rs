//! One key with two bodies.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::keyed::{first, keyed};

const SOURCE: &str = "openapi.yaml, info.description, Idempotency, and IdempotencyKey";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "idempotency.mismatch.refused",
            "The same key with another body is answered 422 idempotency_mismatch.",
            "draft-ietf-httpapi-idempotency-key-header-07; openapi.yaml, IdempotencyKey",
            mismatch,
        )
        .drawn("bodies that differ in one member", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::must(
            "idempotency.mismatch.order-of-items",
            "The same key with a list in another order is answered 422 idempotency_mismatch.",
            SOURCE,
            order_of_items,
        ),
        Requirement::must(
            "idempotency.mismatch.unicode-form",
            "The same key with a topic in another Unicode normalisation form is answered 422 idempotency_mismatch.",
            SOURCE,
            unicode_form,
        ),
    ]
}

async fn mismatch(context: Context, case: Value) -> Verdict {
    let (body, key, _) = first(&context, "Painting a fence").await?;
    let changes = [
        ("topic", json!("Painting a fence ")),
        ("target_word_count", json!(201)),
        ("auto_publish", json!(true)),
        ("keywords", json!([])),
        ("unknown", json!(1)),
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % changes.len();
    let mut other = body;
    other[changes[index].0] = changes[index].1.clone();
    let exchange = context.send(keyed(&other, &key)).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])
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
