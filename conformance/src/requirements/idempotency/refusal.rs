//! Refusals of requests with a key: another body, the order of the checks, and refusals that are not stored under their key.

use chrono::{DateTime, FixedOffset};
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps;
use crate::steps::draws::index_of;
use crate::steps::keyed::{first, keyed};
use crate::steps::quotas::{WINDOWS, pause, refused};

const MISMATCH: &[Source] = &[
    Part("/x-problem-codes/idempotency_mismatch/status"),
    Sentence("The key was used before with another body."),
    Sentence("Bodies are the same if their JSON values are equal."),
    Sentence(
        "Another value, another order of items and another Unicode form make another body; unknown fields may count or not.",
    ),
];

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

const NOT_STORED: &[Source] =
    &[Sentence("The service remembers only successes, so a corrected request may use the same key.")];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.mismatch.refused",
            "The same key with another body gets 422 idempotency_mismatch.",
            MISMATCH,
            mismatch,
        )
        .drawn("bodies that differ in one field", Cases::Exactly(6), |_, draw| json!(draw.index())),
        Requirement::new(
            "idempotency.mismatch.order-of-items",
            "The same key with the items of a list in another order gets 422 idempotency_mismatch.",
            MISMATCH,
            order_of_items,
        ),
        Requirement::new(
            "idempotency.mismatch.unicode-form",
            "The same key with the topic in another Unicode normalisation form gets 422 idempotency_mismatch.",
            MISMATCH,
            unicode_form,
        ),
        Requirement::new(
            "idempotency.refused.not-stored",
            "A refusal is not stored under the key: the corrected request with the same key is accepted.",
            NOT_STORED,
            corrected,
        )
        .drawn("refusals by the schema and for the website", Cases::Exactly(2), |_, draw| {
            json!(["target_word_count", "website_id"][draw.index() % 2])
        }),
        Requirement::new(
            "idempotency.refused.quota-not-stored",
            "A 429 is not stored under the key: the same request is accepted once the quota allows it.",
            NOT_STORED,
            quota_not_stored,
        )
        .needs(SMALL)
        .background(),
        Requirement::new(
            "idempotency.order.before-validation",
            "The key is checked after the JSON and before the schema.",
            &[Sentence(
                "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, \
                 validation, access to the website, state of the website, queue.",
            )],
            before_validation,
        ),
    ]
}

async fn mismatch(context: Context, case: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Painting a fence");
    let day = context.facts().started / 86_400 * 86_400;
    let at = |zone: i32| {
        let zone = FixedOffset::east_opt(zone * 3_600)?;
        Some(DateTime::from_timestamp(day, 0)?.with_timezone(&zone).to_rfc3339())
    };
    body["language"] = json!("en");
    body["publish_at"] = json!(at(0));
    let key = context.fresh("key");
    let first = context.send(keyed(&body, &key)).await?;
    demand::success(&first)?;
    let changes = [
        ("topic", json!("Painting a fence ")),
        ("target_word_count", steps::words(&context, "maximum")),
        ("auto_publish", json!(true)),
        ("metadata", json!({})),
        ("language", json!("EN")),
        // The same moment, but another text.
        ("publish_at", json!(at(1))),
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

async fn corrected(context: Context, member: Value) -> Verdict {
    let key = context.fresh("key");
    let body = steps::quiet_request(&context, "Hanging a picture");
    let mut wrong = body.clone();
    match member.as_str() {
        Some("website_id") => wrong["website_id"] = json!("web_unknown_to_everyone"),
        _ => wrong["target_word_count"] = json!(1),
    }
    demand::refusal(&*context.send(keyed(&wrong, &key)).await?)?;
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::status(&exchange, 202)?;
    steps::discard(&context, &exchange).await
}

async fn quota_not_stored(context: Context, _: Value) -> Verdict {
    let _turn = context.quota_turn().await;
    let (request, mut answer) = refused(&context).await?;
    for _ in 0..WINDOWS {
        pause(&answer).await?;
        answer = context.send(request.clone()).await?;
        if answer.has_no_room() {
            continue;
        }
        if answer.status == 503 {
            return Err(Halt::inconclusive(demand::seen(&answer)));
        }
        ensure(answer.succeeded(), "the same request accepted once the quota allows it", || demand::seen(&answer))
            .about(&answer)?;
        return steps::discard(&context, &answer).await;
    }
    Err(Halt::inconclusive("the quota of generate did not recover"))
}

async fn before_validation(context: Context, _: Value) -> Verdict {
    let (mut body, key, _) = first(&context, "Hanging a mirror").await?;
    body["target_word_count"] = json!(1);
    let exchange = context.send(keyed(&body, &key)).await?;
    demand::problem(&exchange, 422, &["idempotency_mismatch"])?;
    let mut request = keyed(&body, "\"unfinished");
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 400, &["invalid_json"])?;
    let exchange = context.send(keyed(&body, "\"unfinished")).await?;
    demand::problem(&exchange, 400, &["invalid_header"])
}
