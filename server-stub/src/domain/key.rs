//! Platform keys: the form of a secret, the stored record, and the API scopes of a key.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::clock::Timestamp;
use super::names::names;
use super::randomness::Randomness;

/// Maximum number of live keys of an account.
pub const MAX_LIVE_KEYS: usize = 20;
/// Maximum number of keys that an account creates within 24 hours, also of revoked ones. Each key has separate quotas.
pub const MAX_NEW_KEYS_PER_DAY: usize = 50;
/// Prefix of every live key.
pub const LIVE_PREFIX: &str = "cg_live_";
/// Number of base62 digits that encode the 32 random bytes.
const BODY_LENGTH: usize = 43;
/// Number of base62 digits of the checksum.
const CHECKSUM_LENGTH: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

names! {
    /// API scope of a key (`x-scopes`).
    #[derive(Serialize, Deserialize)]
    pub enum ApiScope {
        /// Queue and cancel jobs.
        #[serde(rename = "generate:write")]
        GenerateWrite = "generate:write",
        /// Read jobs and the pipeline.
        #[serde(rename = "jobs:read")]
        JobsRead = "jobs:read",
        /// Read articles.
        #[serde(rename = "articles:read")]
        ArticlesRead = "articles:read",
        /// Read leads.
        #[serde(rename = "leads:read")]
        LeadsRead = "leads:read",
        /// Read websites.
        #[serde(rename = "websites:read")]
        WebsitesRead = "websites:read",
    }
}

/// Number of requests that are allowed in a time window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quota {
    /// Requests per window, at least 1.
    pub requests: u32,
    /// The window in seconds, at least 1.
    pub window_seconds: u32,
}

/// The quotas of a key that differ from the server's defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyQuotas {
    /// For `POST /generate`.
    pub generate: Option<Quota>,
    /// For everything else.
    pub api: Option<Quota>,
}

names! {
    /// State of a key.
    pub enum KeyState {
        /// The server accepts it.
        Live = "live",
        /// It has expired.
        Expired = "expired",
        /// It was revoked.
        Revoked = "revoked",
    }
}

/// A stored platform key. It does not contain the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// `key_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// 1..80 characters.
    pub name: String,
    /// SHA-256 of the secret.
    pub secret_hash: SecretHash,
    /// Last four characters of the secret, for display.
    pub last4: String,
    /// API scopes that the key grants.
    pub scopes: Vec<ApiScope>,
    /// The websites it is restricted to; `None` means all.
    pub website_ids: Option<Vec<String>>,
    /// Quotas of this key.
    pub quotas: KeyQuotas,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time from which the server refuses it.
    pub expires_at: Option<Timestamp>,
    /// Time at which it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Time of the last use, accurate to a few minutes; `None` if never used.
    pub last_used_at: Option<Timestamp>,
}

impl ApiKey {
    /// Returns true if the key is accepted at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.state(now) == KeyState::Live
    }

    /// Returns the key's state at `now`.
    pub fn state(&self, now: Timestamp) -> KeyState {
        if self.revoked_at.is_some() {
            return KeyState::Revoked;
        }
        if self.expires_at.is_none_or(|expires_at| now < expires_at) { KeyState::Live } else { KeyState::Expired }
    }
}

/// SHA-256 of a secret. The secret has 256 random bits, so no slow hash is needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl SecretHash {
    /// Returns the hash of `secret`.
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretHash(…)")
    }
}

/// Secret of a platform key. It is shown once and never stored.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Generates a random secret: prefix, 43 base62 digits of 32 random bytes, 6 base62 digits of their CRC-32.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = [0_u8; 32];
        randomness.fill(&mut bytes);
        Self::from_bytes(bytes)
    }

    /// Returns the secret that encodes these 32 bytes, which must be unguessable.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let body = base62(&bytes, BODY_LENGTH);
        let checksum = checksum(&body);
        Self(format!("{LIVE_PREFIX}{body}{checksum}"))
    }

    /// Reads a secret from a request. `None` if prefix, length, alphabet or checksum are wrong: this rejects typing errors
    /// without a database query.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(LIVE_PREFIX)?;
        if rest.len() != BODY_LENGTH + CHECKSUM_LENGTH || !rest.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (body, given) = rest.split_at(BODY_LENGTH);
        (checksum(body) == given).then(|| Self(text.to_owned()))
    }

    /// Returns the text to show once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the last four characters, for display.
    pub fn last4(&self) -> String {
        self.0[self.0.len() - 4..].to_owned()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

fn checksum(body: &str) -> String {
    base62(&crc32fast::hash(body.as_bytes()).to_be_bytes(), CHECKSUM_LENGTH)
}

/// Encodes big-endian bytes as base62 digits, padded on the left to `length`.
fn base62(bytes: &[u8], length: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = vec![ALPHABET[0]; length];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let value = remainder * 256 + u32::from(*byte);
            *byte = u8::try_from(value / 62).expect("the quotient of a value under 62 * 256 fits a byte");
            remainder = value % 62;
        }
        *digit = ALPHABET[remainder as usize];
    }
    String::from_utf8(digits).expect("the alphabet is ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: [u8; 32] = *b"thirty-two bytes of any old text";

    #[test]
    fn a_secret_parses_and_a_typing_error_does_not() {
        let secret = Secret::from_bytes(SAMPLE);
        assert!(Secret::parse(secret.reveal()).is_some());
        assert!(secret.reveal().starts_with(LIVE_PREFIX));
        for index in LIVE_PREFIX.len()..secret.reveal().len() {
            let mut typo = secret.reveal().as_bytes().to_vec();
            typo[index] = if typo[index] == b'a' { b'b' } else { b'a' };
            let typo = String::from_utf8(typo).unwrap();
            assert!(typo == secret.reveal() || Secret::parse(&typo).is_none(), "accepted a change at {index}");
        }
    }

    #[test]
    fn debug_never_shows_a_secret() {
        let secret = Secret::from_bytes(SAMPLE);
        assert!(!format!("{secret:?}").contains(&secret.reveal()[10..20]));
    }
}
