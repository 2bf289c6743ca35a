//! The request of a webhook: POST with JSON, signed as in Standard Webhooks. Separate code of this crate verifies the signatures.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::signature::{authenticated, header, key_of, verified};
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, demand, ensure, header_fields};
use crate::inbox::HookRequest;
use crate::spec::Profile;
use crate::steps::hooks::{article_hook, lead_hook, of_run, some_hook};
use crate::steps::times::server_now;

const LEAD: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE];

const SIGNED: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::STANDARD_WEBHOOKS];

/// Maximum age of a webhook, in seconds, and maximum time that it may be ahead.
const TOLERANCE: i64 = 300;

const KEY: Source = Sentence("The key is the endpoint's secret: the bytes whose base64 follows `whsec_`.");

const HEADERS: Source = Standard("Standard Webhooks 1.0.0", "Webhook headers");

const SCHEME: Source = Standard("Standard Webhooks 1.0.0", "Signature scheme");

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.request.json-post",
            "A webhook about a lead is a POST request with a JSON body and the Content-Type application/json. In core the \
            type may also end in +json.",
            &[
                Fact("6"),
                Part("/x-webhooks/lead.captured/post/requestBody/content/application~1json"),
                HEADERS,
            ],
            json_post,
        )
        .core()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.request.authentic",
            "A receiver can distinguish a real webhook from a forged one, by a signature, token or credentials in a \
            header.",
            &[
                Fact("6"),
                Part("/components/parameters/WebhookSignature"),
                Standard("Standard Webhooks 1.0.0", "Verifying webhook authenticity"),
            ],
            authentic,
        )
        .core()
        .should()
        .needs(LEAD)
        .background(),
        Requirement::new(
            "hooks.signature.headers",
            "A webhook has the headers webhook-id, webhook-timestamp and webhook-signature, once each.",
            &[
                Part("/components/parameters/WebhookId/required"),
                Part("/components/parameters/WebhookTimestamp/required"),
                Part("/components/parameters/WebhookSignature/required"),
                HEADERS,
            ],
            headers_once,
        )
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.signature.timestamp",
            "webhook-timestamp is a whole number of Unix seconds, within 300 s of the arrival by the clock of the suite or \
            of the server.",
            &[
                Sentence("When this attempt was signed, in seconds since 1970 UTC."),
                Sentence("Receivers refuse a time that is more than five minutes off."),
                HEADERS,
            ],
            timestamp_in_time,
        )
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.signature.verifies",
            "A v1 signature is made with the registered secret over exactly id.timestamp.body. No signature covers \
            less, and none is used twice.",
            &[
                Sentence("Each is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`."),
                KEY,
                SCHEME,
            ],
            signature_verifies,
        )
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.signature.id",
            "webhook-id contains no dot, equals the id in the payload, and is different for every event. An event has one \
            body at an address. Only addresses that got a webhook about a lead of this run count.",
            &[
                Part("/components/parameters/WebhookId/schema/pattern"),
                Sentence("It is the same on every retry and at every endpoint, and equals the header `webhook-id`."),
                Sentence("Every attempt for an event at an endpoint has the same body."),
                Standard("Standard Webhooks 1.0.0", "Webhook metadata"),
                SCHEME,
            ],
            ids_per_event,
        )
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.signature.secret",
            "The secret of an endpoint is whsec_ followed by the base64 of 24 to 64 bytes.",
            &[KEY, SCHEME],
            secret_form,
        )
        .should()
        .needs(SIGNED)
        .background(),
    ]
}

async fn json_post(context: Context, _: Value) -> Verdict {
    is_json_post(&context, &lead_hook(&context, "method and media type").await?.1)
}

/// Demands a POST with one JSON object and the matching Content-Type. In core any JSON value and any type for JSON will do.
pub(super) fn is_json_post(context: &Context, hook: &HookRequest) -> Verdict {
    ensure(hook.method == "POST", "POST", || hook.method.clone())?;
    let is_core = context.document().profile() == Profile::Core;
    let media_type = hook.header("content-type").unwrap_or_default().to_owned();
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json =
        header_fields::is_media_type(&media_type, "application/json") || is_core && essence.ends_with("+json");
    ensure(is_json, "Content-Type: application/json", || media_type)?;
    ensure(hook.json().is_some_and(|body| is_core || body.is_object()), "one JSON object", || {
        demand::beginning(&hook.body)
    })
}

async fn authentic(context: Context, _: Value) -> Verdict {
    const NAMES: [&str; 9] = ["sig", "auth", "token", "hmac", "secret", "digest", "key", "jwt", "sha"];
    let (_, hook) = lead_hook(&context, "who sent this").await?;
    let has = hook.headers.keys().any(|header| NAMES.iter().any(|name| header.as_str().contains(name)));
    ensure(has, "a header with a signature, a token or credentials", || {
        hook.headers.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    })
}

async fn headers_once(context: Context, _: Value) -> Verdict {
    let hook = some_hook(&context, "headers").await?;
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        let count = hook.headers.get_all(name).iter().count();
        ensure(count == 1, format!("{name} once"), || count.to_string())?;
    }
    Ok(())
}

async fn timestamp_in_time(context: Context, _: Value) -> Verdict {
    let hook = some_hook(&context, "timestamp").await?;
    let value = header(&hook, "webhook-timestamp")?;
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: i64 = value.parse().unwrap_or(0);
    ensure(digits, "whole Unix seconds", || value.to_owned())?;
    if (seconds - hook.arrived_unix).abs() <= TOLERANCE {
        return Ok(());
    }
    // The clock of the suite may be wrong.
    let now = server_now(&context).await?.timestamp();
    ensure((seconds - now).abs() <= TOLERANCE, "a time within 300 s of the arrival", || {
        format!(
            "{seconds}, {} s after the arrival and {} s after the Date of the server",
            seconds - hook.arrived_unix,
            seconds - now
        )
    })
}

async fn signature_verifies(context: Context, _: Value) -> Verdict {
    let first = some_hook(&context, "signature \u{e9}\u{1f600}").await?;
    let second = some_hook(&context, "signature \u{e9}\u{1f601}").await?;
    let mut hooks = vec![first, second];
    // Another requirement demands webhooks about articles. If one arrives, it is signed like the others.
    match article_hook(&context).await {
        Ok((_, hook)) => hooks.push(hook),
        Err(Halt::Error(reason)) => return Err(Halt::Error(reason)),
        Err(_) => {}
    }
    let secret = context.hooks()?.secret().unwrap_or_default();
    let mut seen = BTreeSet::new();
    for hook in &hooks {
        verified(&context, hook)?;
        let others = over_other_bytes(&secret, hook);
        for listed in header(hook, "webhook-signature")?.split(' ').filter(|listed| listed.starts_with("v1,")) {
            ensure(!others.iter().any(|other| other == listed), "only signatures over id.timestamp.body", || {
                listed.to_owned()
            })?;
            ensure(seen.insert(listed.to_owned()), "signatures that no other webhook has", || {
                format!("{listed} twice")
            })?;
        }
    }
    Ok(())
}

/// Returns wrong signatures: over less than id.timestamp.body, or with the text of the secret as the key. A receiver that accepts one of
/// these accepts a webhook that was replayed or altered.
fn over_other_bytes(secret: &str, hook: &HookRequest) -> Vec<String> {
    let text = |name: &str| hook.header(name).unwrap_or_default().as_bytes().to_vec();
    let (id, timestamp) = (text("webhook-id"), text("webhook-timestamp"));
    let body: &[u8] = &hook.body;
    let rewritten = hook.json().map(|body| body.to_string()).unwrap_or_default();
    let parts: [&[&[u8]]; 8] = [
        &[],
        &[body],
        &[&id],
        &[&timestamp],
        &[&id, b".", body],
        &[&timestamp, b".", body],
        &[&id, b".", &timestamp],
        &[&id, &timestamp, body],
    ];
    let whole: &[&[u8]] = &[&id, b".", &timestamp, b".", body];
    let anew: &[&[u8]] = &[&id, b".", &timestamp, b".", rewritten.as_bytes()];
    let key = key_of(secret).unwrap_or_default();
    let texts = [secret.as_bytes(), secret.strip_prefix("whsec_").unwrap_or(secret).as_bytes(), b""];
    let mut made: Vec<String> = parts.iter().map(|parts| authenticated(&key, parts)).collect();
    made.extend((rewritten.as_bytes() != body).then(|| authenticated(&key, anew)));
    made.extend(texts.iter().map(|text| authenticated(text, whole)));
    made
}

async fn ids_per_event(context: Context, _: Value) -> Verdict {
    let mut seen = BTreeSet::new();
    for about in ["first", "second", "third"] {
        let hook = some_hook(&context, about).await?;
        let id = header(&hook, "webhook-id")?.to_owned();
        ensure(!id.contains('.') && !id.is_empty(), "an id without dots", || id.clone())?;
        let body = hook.json().unwrap_or_default();
        ensure(body["id"].is_null() || body["id"] == id.as_str(), "the same id in header and payload", || id.clone())?;
        ensure(seen.insert(id.clone()), "a different id for each event", || format!("{id} twice"))?;
    }
    let mut bodies: BTreeMap<(String, String), bytes::Bytes> = BTreeMap::new();
    for hook in of_run(&context)? {
        let Some(id) = hook.header("webhook-id").map(ToOwned::to_owned) else { continue };
        let known = bodies.entry((hook.path.clone(), id.clone())).or_insert_with(|| hook.body.clone());
        ensure(*known == hook.body, "one body for one webhook-id", || format!("another one with {id}"))?;
    }
    Ok(())
}

async fn secret_form(context: Context, _: Value) -> Verdict {
    let secret = context.hooks()?.secret().unwrap_or_default();
    let length = key_of(&secret).map_or(0, |key| key.len());
    ensure((24..=64).contains(&length), "whsec_ and the base64 of 24 to 64 bytes", || format!("{length} bytes"))
}
