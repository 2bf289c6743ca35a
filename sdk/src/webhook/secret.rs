//! A secret for signing hooks, in a type that never shows it.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::error::SecretError;
use super::mac;
use crate::config::pasted;

/// Prefix of a secret's text.
const PREFIX: &str = "whsec_";
/// Minimum length of a safe secret, in bytes (Standard Webhooks 1.0).
const SHORTEST: usize = 24;
/// The bytes of a secret.
#[derive(Clone)]
pub(crate) struct Secret(Vec<u8>);

impl Secret {
    /// Parses `whsec_` followed by base64, or base64 alone.
    pub(crate) fn parse(text: &str) -> Result<Self, SecretError> {
        let text = pasted(text);
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        let bytes = STANDARD.decode(encoded).map_err(|_| SecretError::NotBase64)?;
        if bytes.len() < SHORTEST {
            return Err(SecretError::TooShort { bytes: bytes.len() });
        }
        Ok(Self(bytes))
    }

    /// Signs a hook: its id, its time and its body, separated by dots.
    pub(crate) fn sign(&self, id: &str, timestamp: &str, body: &[u8]) -> [u8; mac::LENGTH] {
        mac::code(&self.0, &[id.as_bytes(), b".", timestamp.as_bytes(), b".", body])
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(crate::key::REDACTED)
    }
}
