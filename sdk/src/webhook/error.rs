//! Reasons why a secret or a hook is refused.

use std::fmt;

/// Reason why a secret cannot be used. No message shows a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretError {
    /// No secret was given.
    None,
    /// A secret is not base64 after its `whsec_`.
    NotBase64,
    /// A secret is too short to be safe.
    #[non_exhaustive]
    TooShort {
        /// Its length in bytes.
        bytes: usize,
    },
}

impl fmt::Display for SecretError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter
                .write_str("no webhook secret: pass the secret that the dashboard shows when you register an endpoint"),
            Self::NotBase64 => {
                formatter.write_str("the webhook secret is not `whsec_` followed by base64; copy it again")
            }
            Self::TooShort { bytes } => {
                write!(formatter, "the webhook secret has {bytes} bytes; at least 24 are needed")
            }
        }
    }
}

impl std::error::Error for SecretError {}

/// Reason why the body of a verified hook is not an event. The text quotes nothing of the body, which may contain personal data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventError {
    /// The body is not JSON.
    NotJson,
    /// The event is of a known kind and lacks a field.
    #[non_exhaustive]
    MissingField {
        /// Name of the field in the document.
        name: String,
    },
    /// The event is of a known kind, and a field does not match the document.
    UnexpectedShape,
}

impl fmt::Display for EventError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => formatter.write_str("the body of the webhook is not JSON"),
            Self::MissingField { name } => write!(formatter, "the event of the webhook has no field `{name}`"),
            Self::UnexpectedShape => {
                formatter.write_str("a field of the webhook's event does not match the API document")
            }
        }
    }
}

impl std::error::Error for EventError {}

/// Reason why a hook is refused. Answer it with 400. Its sender retries if that can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// A header is missing.
    MissingHeader(&'static str),
    /// A header occurs twice, or has a value that no sender writes.
    InvalidHeader(&'static str),
    /// The hook was signed longer ago than is tolerated.
    TooOld,
    /// The hook was signed further in the future than is tolerated.
    TooNew,
    /// No signature matches any of the secrets.
    NoMatchingSignature,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingHeader(name) => write!(formatter, "the webhook has no `{name}` header"),
            Self::InvalidHeader(name) => {
                write!(formatter, "the `{name}` header of the webhook is malformed")
            }
            Self::TooOld => formatter.write_str("the webhook was signed too long ago; check the clock of the receiver"),
            Self::TooNew => {
                formatter.write_str("the webhook was signed in the future; check the clock of the receiver")
            }
            Self::NoMatchingSignature => formatter.write_str("no signature of the webhook matches the secret"),
        }
    }
}

impl std::error::Error for VerifyError {}
