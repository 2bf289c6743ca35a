//! Faults in the content, key and encoding of signatures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::super::fault::{Fault, fault};
use super::super::sender::sign_otherwise;
use crate::hooks::{authenticate, key_of, sign, sign_with_key};
use crate::message::Request;

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.signed-rewritten", "The signature covers re-encoded JSON.", &["hooks.signature.verifies"])
        .hook(|hook, endpoint, _| sign_otherwise(hook, endpoint, |hook, secret| sign(&rewritten(hook), secret))),
    fault("hooks.signed-hex", "The signature is in hexadecimal digits.", &["hooks.signature.verifies"])
        .hook(|hook, endpoint, _| sign_otherwise(hook, endpoint, |hook, secret| hexadecimal(&sign(hook, secret)))),
    fault("hooks.signed-without-id", "The signature does not cover the id.", &["hooks.signature.verifies"]).hook(
        |hook, endpoint, _| {
            sign_otherwise(hook, endpoint, |hook, secret| {
                let time = hook.header("webhook-timestamp").unwrap_or_default();
                sign_parts(secret, &[time.as_bytes(), b".", &hook.body])
            });
        },
    ),
    fault("hooks.signed-without-time", "The signature does not cover the timestamp.", &["hooks.signature.verifies"])
        .hook(|hook, endpoint, _| {
            sign_otherwise(hook, endpoint, |hook, secret| {
                let id = hook.header("webhook-id").unwrap_or_default();
                sign_parts(secret, &[id.as_bytes(), b".", &hook.body])
            });
        }),
    fault(
        "hooks.signed-with-text",
        "The signing key is the secret's text instead of the bytes it encodes.",
        &["hooks.signature.verifies"],
    )
    .hook(|hook, endpoint, _| {
        sign_otherwise(hook, endpoint, |hook, secret| sign_with_key(hook, secret.as_bytes()));
    }),
];

/// Returns the webhook with the same JSON in other bytes.
fn rewritten(hook: &Request) -> Request {
    let value = hook.json().unwrap_or(Value::Null);
    let pretty = format!("{value:#}");
    let body = if hook.body == pretty { value.to_string() } else { pretty };
    Request { body: body.into(), ..hook.clone() }
}

fn hexadecimal(signature: &str) -> String {
    let code = signature.strip_prefix("v1,").and_then(|code| STANDARD.decode(code).ok()).unwrap_or_default();
    code.iter().fold("v1,".to_owned(), |hex, byte| format!("{hex}{byte:02x}"))
}

fn sign_parts(secret: &str, parts: &[&[u8]]) -> String {
    let key = key_of(secret).unwrap_or_default();
    format!("v1,{}", STANDARD.encode(authenticate(&key, parts)))
}
