//! A refusal is not remembered under its key.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{About as _, Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::keyed;
use crate::steps::quotas::{WINDOWS, pause, refused};

const SMALL: &[Capability] = &[Capability::SMALL_QUOTA];

const SOURCES: &[Source] =
    &[Sentence("The service remembers only successes, so a corrected request may use the same key.")];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.refused.not-stored",
            "A refusal is not stored under the key: the corrected request with the same key is accepted.",
            SOURCES,
            corrected,
        )
        .drawn("refusals by the schema and for the website", Cases::Exactly(2), |_, draw| {
            json!(["target_word_count", "website_id"][draw.index() % 2])
        }),
        Requirement::new(
            "idempotency.refused.quota-not-stored",
            "A 429 is not stored under the key: the same request is accepted once the quota allows it.",
            SOURCES,
            not_stored,
        )
        .needs(SMALL)
        .background(),
    ]
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

async fn not_stored(context: Context, _: Value) -> Verdict {
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
