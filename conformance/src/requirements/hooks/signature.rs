//! Standard Webhooks signatures, verified by code of this crate's own.

use serde_json::Value;

use crate::check::signature::{authenticated, header, key_of, verified};
use crate::check::{Capability, Context, Halt, Requirement, Verdict, ensure};
use crate::inbox::HookRequest;
use crate::steps::hooks::some_hook;

const SIGNED: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::STANDARD_WEBHOOKS];

const SOURCE: &str = "Standard Webhooks 1.0.0, Signature scheme";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.signature.headers",
            "A hook has the headers webhook-id, webhook-timestamp and webhook-signature, once each.",
            "Standard Webhooks 1.0.0, Webhook headers",
            headers,
        )
        .needs(SIGNED).background(),
        Requirement::must(
            "hooks.signature.timestamp",
            "webhook-timestamp is a whole number of Unix seconds, within 300 s of the arrival.",
            "Standard Webhooks 1.0.0, Webhook headers",
            timestamp,
        )
        .needs(SIGNED).background(),
        Requirement::must(
            "hooks.signature.verifies",
            "A v1 signature is made with the registered secret over exactly id.timestamp.body; no signature covers less, and none is used twice.",
            SOURCE,
            signature,
        )
        .needs(SIGNED).background(),
        Requirement::must(
            "hooks.signature.id",
            "webhook-id contains no dot, equals the id in the payload, and is different for every event.",
            "Standard Webhooks 1.0.0, Webhook headers",
            id,
        )
        .needs(SIGNED).background(),
        Requirement::must(
            "hooks.signature.secret",
            "A hook secret is whsec_ followed by the base64 of 24 to 64 bytes.",
            SOURCE,
            secret_form,
        )
        .should()
        .needs(SIGNED).background(),
    ]
}

async fn headers(context: Context, _: Value) -> Verdict {
    let hook = some_hook(&context, "headers").await?;
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        let count = hook.headers.get_all(name).iter().count();
        ensure(count == 1, format!("{name} once"), || count.to_string())?;
    }
    Ok(())
}

async fn timestamp(context: Context, _: Value) -> Verdict {
    let hook = some_hook(&context, "timestamp").await?;
    let value = header(&hook, "webhook-timestamp")?;
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: i64 = value.parse().unwrap_or(0);
    let near = (seconds - hook.arrived_unix).abs() <= 300;
    ensure(digits && near, "whole Unix seconds within 300 s of the arrival", || value.to_owned())
}

async fn signature(context: Context, _: Value) -> Verdict {
    let first = some_hook(&context, "signature \u{e9}\u{1f600}").await?;
    let second = some_hook(&context, "signature \u{e9}\u{1f601}").await?;
    let mut hooks = vec![first, second];
    // That hooks about articles come is judged elsewhere; where one does, it is signed like the others.
    match crate::steps::hooks::article_hook(&context).await {
        Ok((_, hook)) => hooks.push(hook),
        Err(Halt::Error(reason)) => return Err(Halt::Error(reason)),
        Err(_) => {}
    }
    let secret = context.hooks()?.secret().unwrap_or_default();
    let mut seen = std::collections::BTreeSet::new();
    for hook in &hooks {
        verified(&context, hook)?;
        let others = over_other_bytes(&secret, hook);
        for listed in header(hook, "webhook-signature")?.split(' ').filter(|listed| listed.starts_with("v1,")) {
            ensure(
                !others.iter().any(|other| other == listed),
                "no signature over other bytes than id.timestamp.body",
                || listed.to_owned(),
            )?;
            ensure(seen.insert(listed.to_owned()), "signatures that no other hook has", || format!("{listed} twice"))?;
        }
    }
    Ok(())
}

/// What a sender makes that signs less than it should, or with the secret's text: whoever accepts one of these accepts a hook
/// that was recorded and sent again, or altered.
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

async fn id(context: Context, _: Value) -> Verdict {
    let mut seen = std::collections::BTreeSet::new();
    for about in ["first", "second", "third"] {
        let hook = some_hook(&context, about).await?;
        let id = header(&hook, "webhook-id")?.to_owned();
        ensure(!id.contains('.') && !id.is_empty(), "an id without dots", || id.clone())?;
        let body = hook.json().unwrap_or_default();
        ensure(body["id"].is_null() || body["id"] == id.as_str(), "the id of the payload", || id.clone())?;
        ensure(seen.insert(id.clone()), "an id of its own", || format!("{id} twice"))?;
    }
    // Whatever else arrived in this run: an id that came twice came with the same bytes.
    let mut bodies: std::collections::BTreeMap<String, bytes::Bytes> = std::collections::BTreeMap::new();
    for hook in context.hooks()?.all() {
        let id = hook.header("webhook-id").unwrap_or_default().to_owned();
        let known = bodies.entry(id.clone()).or_insert_with(|| hook.body.clone());
        ensure(*known == hook.body, "one payload for one webhook-id", || format!("another one with {id}"))?;
    }
    Ok(())
}

async fn secret_form(context: Context, _: Value) -> Verdict {
    let secret = context.hooks()?.secret().unwrap_or_default();
    let length = key_of(&secret).map_or(0, |key| key.len());
    ensure((24..=64).contains(&length), "whsec_ and the base64 of 24 to 64 bytes", || format!("{length} bytes"))
}
