//! Signatures of webhooks by Standard Webhooks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::check::{Context, Halt, Verdict, ensure};
use crate::inbox::HookRequest;

/// Returns the key of a secret that begins with `whsec_`.
pub(crate) fn key_of(secret: &str) -> Option<Vec<u8>> {
    STANDARD.decode(secret.strip_prefix("whsec_")?).ok()
}

/// Returns the signature `v1,<base64>` over `id.timestamp.body`.
pub(crate) fn sign(key: &[u8], id: &str, timestamp: &str, body: &[u8]) -> String {
    authenticated(key, &[format!("{id}.{timestamp}.").as_bytes(), body])
}

/// Returns the signature `v1,<base64>` over the concatenated parts.
pub(crate) fn authenticated(key: &[u8], parts: &[&[u8]]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    for part in parts {
        mac.update(part);
    }
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// Returns a header that the webhook must have.
pub(crate) fn header<'hook>(hook: &'hook HookRequest, name: &str) -> Result<&'hook str, Halt> {
    hook.header(name).ok_or_else(|| Halt::fail(format!("a header {name}"), "none"))
}

/// Returns the signature by `secret` over id and timestamp of the webhook and `body`. Returns `None` without id or timestamp, or if the
/// secret has another form.
pub fn sign_as(secret: &str, hook: &HookRequest, body: &[u8]) -> Option<String> {
    Some(sign(&key_of(secret)?, hook.header("webhook-id")?, hook.header("webhook-timestamp")?, body))
}

/// Demands that the webhook has a signature by `secret`. Its age does not matter.
///
/// # Errors
/// Returns a finding that does not contain the secret.
pub fn verify(secret: &str, hook: &HookRequest) -> Verdict {
    let key = key_of(secret).ok_or_else(|| Halt::fail("a secret of the form whsec_<base64>", "another form"))?;
    let right = sign(&key, header(hook, "webhook-id")?, header(hook, "webhook-timestamp")?, &hook.body);
    let listed: Vec<&str> = header(hook, "webhook-signature")?.split(' ').collect();
    ensure(listed.contains(&right.as_str()), "a v1 signature that verifies over id.timestamp.body", || listed.join(" "))
}

/// Demands that the webhook has a signature by the secret of the endpoint under test.
pub(crate) fn verified(context: &Context, hook: &HookRequest) -> Verdict {
    verify(&context.hooks()?.secret().unwrap_or_default(), hook)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::{STANDARD, key_of, sign};

    #[test]
    fn signatures_agree_with_the_vectors_that_openssl_computed() {
        let vectors: serde_json::Value =
            serde_json::from_str(include_str!("../../vectors/webhook_signatures.json")).expect("the vectors are JSON");
        let vectors = vectors.as_array().expect("a list of vectors");
        assert!(!vectors.is_empty());
        for vector in vectors {
            let text = |name: &str| vector[name].as_str().expect("every member is a text");
            let key = key_of(text("secret")).expect("every secret decodes");
            let body = STANDARD.decode(text("body_base64")).expect("every body decodes");
            assert_eq!(sign(&key, text("id"), text("timestamp"), &body), text("signature"), "{}", text("name"));
        }
    }
}
