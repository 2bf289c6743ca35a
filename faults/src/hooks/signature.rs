//! Signatures of Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::message::Request;

/// Returns the key bytes of a `whsec_` secret.
pub fn key_of(secret: &str) -> Option<Vec<u8>> {
    STANDARD.decode(secret.strip_prefix("whsec_")?).ok()
}

/// Returns the signature of a webhook with a secret, over its id, timestamp and body; empty for a secret of another
/// form.
pub fn sign(hook: &Request, secret: &str) -> String {
    key_of(secret).map(|key| sign_with_key(hook, &key)).unwrap_or_default()
}

/// Returns the signature of a webhook with the bytes of a key.
pub fn sign_with_key(hook: &Request, key: &[u8]) -> String {
    let (id, timestamp) = (hook.header("webhook-id"), hook.header("webhook-timestamp"));
    let head = format!("{}.{}.", id.unwrap_or_default(), timestamp.unwrap_or_default());
    format!("v1,{}", STANDARD.encode(authenticate(key, &[head.as_bytes(), &hook.body])))
}

/// Returns HMAC-SHA256 over the concatenated parts.
pub fn authenticate(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().to_vec()
}

/// Signs `changed` with every secret whose signature is in `original`, in the same order. Drops signatures of unknown
/// secrets, unless all are: then keeps the header.
pub(super) fn sign_anew(original: &Request, changed: &mut Request, secrets: &[String]) {
    let header = original.header("webhook-signature").unwrap_or_default();
    let signed: Vec<String> = header
        .split(' ')
        .filter_map(|signature| secrets.iter().find(|secret| sign(original, secret) == signature))
        .map(|secret| sign(changed, secret))
        .collect();
    if !signed.is_empty() {
        changed.set("webhook-signature", &signed.join(" "));
    }
}
