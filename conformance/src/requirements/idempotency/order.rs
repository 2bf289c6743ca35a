//! The key is checked before the body is validated.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Context, Requirement, Verdict, demand};
use crate::steps::keyed::{first, keyed};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "idempotency.order.before-validation",
        "The key is checked after the JSON and before the schema.",
        &[Sentence(
            "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, \
             validation, access to the website, state of the website, queue.",
        )],
        before_validation,
    )]
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
