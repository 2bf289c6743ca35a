//! Signatures of Standard Webhooks 1.0.0, version `v1`. Secrets come from `domain::hook`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::domain::hook::HookSecret;

/// Returns the value of `webhook-signature`. For each secret it contains `v1,` and the base64 of HMAC-SHA256 over
/// `{id}.{seconds}.{body}`, separated by spaces. Several secrets are valid during a rotation.
pub fn signature(event_id: &str, seconds: i64, body: &[u8], secrets: &[HookSecret]) -> String {
    let sign = |secret: &HookSecret| {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("HMAC takes a key of any length");
        mac.update(format!("{event_id}.{seconds}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    };
    secrets.iter().map(sign).collect::<Vec<_>>().join(" ")
}
