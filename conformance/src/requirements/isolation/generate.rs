//! Requests to generate that name a website or an idempotency key of another account.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence};
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::lists::POSTS;
use crate::steps::{self, control, lists};

const TWO: &[Capability] = &[Capability::ISOLATION];

const TWO_PAUSED: &[Capability] = &[Capability::ISOLATION, Capability::INACTIVE_WEBSITE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.websites.generate",
            "Generate for another account's website returns 422 website_not_found, and queues nothing for that account.",
            &[
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("`website_id` in the body is unknown, or the key may not use it."),
                Sentence("A refused request makes and changes no job, article, scheduled post or lead."),
            ],
            website,
        )
        .needs(TWO),
        Requirement::new(
            "isolation.websites.core",
            "A key cannot queue articles for another account's website.",
            &[Fact("5"), Fact("1.1"), Sentence("A key reaches only the data of its account.")],
            website_in_core,
        )
        .core()
        .needs(TWO),
        Requirement::new(
            "isolation.websites.paused",
            "Generate for another account's paused website returns 422 website_not_found, too.",
            &[
                Sentence("`website_id` in the body is unknown, or the key may not use it."),
                Sentence(
                    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
                ),
            ],
            paused,
        )
        .needs(TWO_PAUSED),
        Requirement::new(
            "isolation.idempotency.scope",
            "An idempotency key belongs to one account: the same key from another account makes another job.",
            &[
                Sentence("A key belongs to the account, whichever platform key sends it."),
                Sentence("A key reaches only the data of its account."),
            ],
            idempotency_key,
        )
        .needs(TWO),
    ]
}

async fn website(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, &context.fresh("for-somebody-else"));
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    if context.facts().capabilities.contains(&Capability::PIPELINE) {
        let queued = lists::found(&context, POSTS, "limit=100", |post| post["topic"] == body["topic"]).await?;
        ensure(queued.is_empty(), "no scheduled post of a refused request", || demand::brief(&queued[0]))?;
    }
    control::ordered_by_other(&context).await
}

async fn paused(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Drying clothes indoors");
    body["website_id"] = json!(context.facts().inactive_website_id);
    let exchange = context.send(steps::generate(&body).by(Credential::Other)).await?;
    demand::problem(&exchange, 422, &["website_not_found"])?;
    control::ordered_by_other(&context).await
}

async fn website_in_core(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Writing for somebody else");
    demand::refusal(&*context.send(steps::generate(&body).by(Credential::Other)).await?)?;
    control::ordered_by_other(&context).await
}

async fn idempotency_key(context: Context, _: Value) -> Verdict {
    let key = context.fresh("shared");
    let body = steps::quiet_request(&context, "Choosing an umbrella");
    let mut foreign = body.clone();
    foreign["website_id"] = json!(context.facts().other_website_id);
    let own = steps::generate(&body).header("idempotency-key", key.clone());
    let first = context.send(own.clone()).await?;
    demand::success(&first)?;
    let request = steps::generate(&foreign).header("idempotency-key", key).by(Credential::Other);
    let other = context.send(request).await?;
    demand::success(&other)?;
    let ids = (&demand::json(&first)?["job_id"], &demand::json(&other)?["job_id"]);
    ensure(ids.0 != ids.1, "a different job for each account", || ids.0.to_string())?;
    let again = context.send(own).await?;
    let is_repeat = again.json().is_some_and(|body| body["job_id"] == *ids.0);
    ensure_met(is_repeat, "a second request of the same account made another job, too")
}
