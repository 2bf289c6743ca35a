//! The order of the checks on `POST /generate`: of two faults, the response reports the one that is checked first.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Request, Requirement, Source, Verdict, demand};
use crate::steps::{self, control};

const NARROW: &[Capability] = &[Capability::NARROW_SCOPE];

const SOURCES: &[Source] = &[Sentence(
    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
)];

/// Size of a body over the limit, in bytes.
const TOO_LARGE: usize = 70 * 1024;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.order.media-type-before-json",
            "The media type is checked before the JSON, and the JSON before the schema.",
            SOURCES,
            order,
        ),
        Requirement::new(
            "generate.order.credentials-before-size",
            "Credentials are checked before the size: a wrong key with a body of 70 KiB is answered 401.",
            SOURCES,
            credentials,
        ),
        Requirement::new(
            "generate.order.scope-before-json",
            "The scope is checked before media type, size and JSON: a key without it is answered 403, whatever the body is.",
            SOURCES,
            scope,
        )
        .needs(NARROW),
        Requirement::new(
            "generate.order.media-type-before-size",
            "The media type is checked before the size: 70 KiB of text/plain are answered 415.",
            SOURCES,
            media_type,
        ),
        Requirement::new(
            "generate.order.size-before-json",
            "The size is checked before the JSON: 70 KiB of broken JSON are answered 413.",
            SOURCES,
            size,
        ),
        Requirement::new(
            "generate.order.website-last",
            "The schema is checked before the website: a body that breaks the schema and names an unknown website is answered 422 validation_failed.",
            SOURCES,
            website,
        ),
    ]
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
    demand::problem(&exchange, 400, &["invalid_json"])?;
    control::ordered(&context).await
}

/// Returns a request with a body that is too large and not JSON.
fn heap(media_type: &str) -> Request {
    Request::new("generate", "POST", "/generate").bytes(media_type, vec![b'p'; TOO_LARGE])
}

async fn credentials(context: Context, _: Value) -> Verdict {
    let wrong = Credential::Literal(vec!["Bearer {key}x".to_owned()]);
    let exchange = steps::send_large(&context, heap("application/json").by(wrong)).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    control::ordered(&context).await
}

async fn scope(context: Context, _: Value) -> Verdict {
    let broken = steps::generate(&Value::Null).by(Credential::NarrowScope);
    let broken = Request { body: Some("{\"topic\":".into()), ..broken };
    for request in [broken, heap("text/plain").by(Credential::NarrowScope)] {
        demand::problem(&*steps::send_large(&context, request).await?, 403, &["insufficient_scope"])?;
    }
    control::ordered(&context).await
}

async fn media_type(context: Context, _: Value) -> Verdict {
    let exchange = steps::send_large(&context, heap("text/plain")).await?;
    demand::problem(&exchange, 415, &["unsupported_media_type"])?;
    control::ordered(&context).await
}

async fn size(context: Context, _: Value) -> Verdict {
    let exchange = steps::send_large(&context, heap("application/json")).await?;
    demand::problem(&exchange, 413, &["payload_too_large"])?;
    control::ordered(&context).await
}

async fn website(context: Context, _: Value) -> Verdict {
    let mut body = steps::quiet_request(&context, "Two faults in one body");
    body["website_id"] = json!("web_unknown_to_everyone");
    body["target_word_count"] = json!(1);
    let exchange = context.send(steps::generate(&body)).await?;
    demand::problem(&exchange, 422, &["validation_failed"])?;
    control::ordered(&context).await
}
