//! Signatures of Standard Webhooks 1.0.0, version `v1`. Secrets come from `domain::hook`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

use crate::domain::fault::table::{benign, hooks as slip};
use crate::domain::hook::HookSecret;

/// The value of `webhook-signature`: for each secret `v1,` and the base64 of HMAC-SHA256 over `{id}.{seconds}.{body}`,
/// separated by spaces. Several secrets are in use while one is rotated.
pub fn signature(event_id: &str, seconds: i64, body: &[u8], secrets: &[HookSecret]) -> String {
    let rewritten = || serde_json::from_slice::<Value>(body).map(|body| format!("{body:#}")).unwrap_or_default();
    let signed = |secret: &HookSecret| {
        let text = slip::SIGNED_WITH_TEXT.is_on().then(|| secret.reveal());
        let key = text.as_ref().map_or(secret.bytes(), String::as_bytes);
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
        if !slip::SIGNED_WITHOUT_ID.is_on() {
            mac.update(event_id.as_bytes());
            mac.update(b".");
        }
        if !slip::SIGNED_WITHOUT_TIME.is_on() {
            mac.update(format!("{seconds}.").as_bytes());
        }
        if slip::SIGNED_REWRITTEN.is_on() {
            mac.update(rewritten().as_bytes());
        } else {
            mac.update(body);
        }
        let code = mac.finalize().into_bytes();
        if slip::SIGNED_HEX.is_on() {
            return code.iter().fold("v1,".to_owned(), |hex, byte| format!("{hex}{byte:02x}"));
        }
        format!("v1,{}", STANDARD.encode(code))
    };
    let mut signatures: Vec<String> = secrets.iter().map(signed).collect();
    if slip::FORMER_DROPPED.is_on() {
        signatures.truncate(1);
    } else if slip::FORMER_ONLY.is_on() {
        signatures.drain(..signatures.len().saturating_sub(1));
    }
    if benign::TWO_SIGNATURES.is_on() {
        signatures.insert(0, "v1a,c2lnbmVkIHdpdGggYW4gYXN5bW1ldHJpYyBrZXk=".to_owned());
        signatures.push("v1,b2Ygc29tZSBvdGhlciBzZWNyZXQsIGJlaW5nIHJlcGxhY2U=".to_owned());
    }
    signatures.join(" ")
}
