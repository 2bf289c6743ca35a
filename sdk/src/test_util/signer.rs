//! Hooks with a valid signature.

use std::fmt;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};

use crate::platform;
use crate::webhook::{HookEvent, Secret, Verifier};

/// Signs hooks as the service does, with a secret for tests.
///
/// ```
/// use contentgen_sdk::test_util::{HookSigner, sample};
///
/// let signer = HookSigner::new();
/// let hook = signer.sign(&sample::lead_captured("evt_1", &sample::lead("lead_1")));
/// let verified = signer.verifier().verify(&hook.headers, &hook.body).unwrap();
/// assert_eq!(verified.id(), "evt_1");
/// ```
#[derive(Clone)]
pub struct HookSigner {
    text: String,
    secret: Secret,
}

/// A signed hook, ready to be sent.
#[derive(Clone, Debug)]
pub struct SignedHook {
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature` and `content-type`.
    pub headers: HeaderMap,
    /// The bytes that were signed.
    pub body: Vec<u8>,
}

impl HookSigner {
    /// Makes a signer with a fixed secret, for tests only.
    pub fn new() -> Self {
        Self::with_secret(&format!("whsec_{}", STANDARD.encode(b"a secret for tests and no other use")))
    }

    /// Makes a signer with a secret in the form of the dashboard.
    ///
    /// # Panics
    ///
    /// If the secret is invalid. A valid one is `whsec_` and base64 of at least 24 bytes.
    pub fn with_secret(text: &str) -> Self {
        let secret = Secret::parse(text).unwrap_or_else(|error| panic!("{error}"));
        Self { text: text.to_owned(), secret }
    }

    /// Returns the secret, for the configuration of the code under test.
    pub fn secret(&self) -> &str {
        &self.text
    }

    /// Returns a verifier with the secret.
    pub fn verifier(&self) -> Verifier {
        Verifier::new([&self.text]).expect("the secret was read before")
    }

    /// Signs the hook of an event now.
    pub fn sign(&self, event: &HookEvent) -> SignedHook {
        self.sign_at(event, platform::now())
    }

    /// Signs the hook of an event at a given time.
    ///
    /// # Panics
    ///
    /// If the time is before 1970 or the event's id is not valid in a header.
    pub fn sign_at(&self, event: &HookEvent, at: SystemTime) -> SignedHook {
        let envelope = serde_json::to_value(event).expect("an event can be written as JSON");
        let id = envelope["id"].as_str().unwrap_or_default();
        let body = serde_json::to_vec(&envelope).expect("JSON can be written");
        self.sign_all(id, body, at)
    }

    /// Signs a hook of any bytes now, for tests of bodies that are not events.
    ///
    /// # Panics
    ///
    /// If the id is not valid in a header.
    pub fn sign_bytes(&self, id: &str, body: impl Into<Vec<u8>>) -> SignedHook {
        self.sign_all(id, body.into(), platform::now())
    }

    fn sign_all(&self, id: &str, body: Vec<u8>, at: SystemTime) -> SignedHook {
        let timestamp =
            at.duration_since(SystemTime::UNIX_EPOCH).expect("`at` must be after 1970").as_secs().to_string();
        let signature = format!("v1,{}", STANDARD.encode(self.secret.sign(id, &timestamp, &body)));
        let mut headers = HeaderMap::new();
        for (name, value) in [("webhook-id", id), ("webhook-timestamp", &timestamp), ("webhook-signature", &signature)]
        {
            headers.insert(name, HeaderValue::try_from(value).expect("the id must be visible ASCII"));
        }
        headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        SignedHook { headers, body }
    }
}

impl Default for HookSigner {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for HookSigner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HookSigner")
    }
}
