//! Explains why a webhook's signature is wrong: the signed content, the expected and the received signature, the likely reason.
//!
//! `check::signature` verifies it. The lines do not contain the secret.

use sha2::{Digest, Sha256};

use crate::check::sign_hook;
use crate::inbox::HookRequest;
use crate::spec::hexadecimal;

/// Returns names and values to show. Returns nothing if the secret or a header is missing, which the verdict already says.
pub(super) fn mismatch(secret: &str, hook: &HookRequest) -> Vec<(&'static str, String)> {
    let (Some(expected), Some(id), Some(timestamp), Some(received)) = (
        sign_hook(secret, hook, &hook.body),
        hook.header("webhook-id"),
        hook.header("webhook-timestamp"),
        hook.header("webhook-signature"),
    ) else {
        return Vec::new();
    };
    let hash = hexadecimal(&Sha256::digest(&hook.body));
    vec![
        ("signed content", format!("{id}.{timestamp}. and the body: {} bytes, SHA-256 {hash}", hook.body.len())),
        ("expected", expected),
        ("received", received.to_owned()),
        ("likely reason", reason(secret, hook, received).to_owned()),
    ]
}

fn reason(secret: &str, hook: &HookRequest, received: &str) -> &'static str {
    let signed = |body: &[u8]| {
        sign_hook(secret, hook, body).is_some_and(|signature| received.split(' ').any(|one| one == signature))
    };
    if !received.split(' ').any(|one| one.starts_with("v1,")) {
        return "the header has no `v1,` followed by base64";
    }
    let compact = hook.json().map(|value| value.to_string()).unwrap_or_default();
    if signed(hook.body.trim_ascii()) || signed(compact.as_bytes()) {
        return "whitespace in the body was changed after signing: send exactly the bytes that were signed";
    }
    if signed(b"") {
        return "the signed content does not contain the body";
    }
    "another secret, or the id, the timestamp or the body was changed after signing; compare length and SHA-256 with the sender's"
}
