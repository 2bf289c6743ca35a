//! One key with two bodies.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Cases, Context, Requirement, Source, Verdict, demand};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::keyed::{first, keyed};

const SOURCES: &[Source] = &[
    Part("/x-problem-codes/idempotency_mismatch/status"),
    Sentence("The key was used before with another body."),
    Sentence("Bodies are the same if their JSON values are equal."),
    Sentence(
        "Another value, another order of items and another Unicode form make another body; unknown fields may count or not.",
    ),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.mismatch.refused",
            "The same key with another body gets 422 idempotency_mismatch.",
            SOURCES,
            mismatch,
        )
        .drawn("bodies that differ in one field", Cases::Exactly(3), |_, draw| json!(draw.index())),
        Requirement::new(
            "idempotency.mismatch.order-of-items",
            "The same key with the items of a list in another order gets 422 idempotency_mismatch.",
            SOURCES,
            order_of_items,
        ),
        Requirement::new(
            "idempotency.mismatch.unicode-form",
            "The same key with the topic in another Unicode normalisation form gets 422 idempotency_mismatch.",
            SOURCES,
            unicode_form,
        ),
    ]
}

async fn mismatch(context: Context, case: Value) -> Verdict {
    let (mut body, key, first) = first(&context, "Painting a fence").await?;
    let changes = [
        ("topic", json!("Painting a fence ")),
        ("target_word_count", steps::words(&context, "maximum")),
        ("auto_publish", json!(true)),
    ];
    let (field, value) = &changes[index_of(&case) % changes.len()];
    body[*field] = value.clone();
    let exchange = context.send(keyed(&body, &key)).await?;
    steps::discard(&context, &first).await?;
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
