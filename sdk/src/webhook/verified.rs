//! A hook whose signature was verified, and the event in it.

use std::fmt;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::error::Category;

use super::{EventError, HookEvent};

/// A hook that was signed with one of the secrets: the result of a [`Verifier`](super::Verifier). With the feature `axum` it is also an
/// argument of a handler.
#[derive(Clone)]
pub struct Verified {
    id: String,
    signed_at: SystemTime,
    body: Bytes,
}

impl Verified {
    /// Makes a verified hook.
    pub(super) fn new(id: &str, signed_at: SystemTime, body: Bytes) -> Self {
        Self { id: id.to_owned(), signed_at, body }
    }

    /// Id of the event, the same in each retry, so that the event can be handled once.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Time when this attempt was signed.
    pub fn signed_at(&self) -> SystemTime {
        self.signed_at
    }

    /// The bytes that were verified.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Reads the event. An event of a kind that this crate does not know is [`HookEvent::Unknown`], not an error.
    ///
    /// # Errors
    ///
    /// [`EventError`]: the body is not JSON, or an event of a known kind does not match the document.
    pub fn event(&self) -> Result<HookEvent, EventError> {
        serde_json::from_slice(&self.body).map_err(|fault| match fault.classify() {
            Category::Data => match missing_field(&fault.to_string()) {
                Some(name) => EventError::MissingField { name: name.to_owned() },
                None => EventError::UnexpectedShape,
            },
            Category::Io | Category::Syntax | Category::Eof => EventError::NotJson,
        })
    }
}

/// Returns the field that is missing according to the decoder's error. Other texts of the decoder quote the body.
fn missing_field(fault: &str) -> Option<&str> {
    let (name, _) = fault.strip_prefix("missing field `")?.split_once('`')?;
    Some(name)
}

/// Omits the body, which may contain personal data.
impl fmt::Debug for Verified {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Verified")
            .field("id", &self.id)
            .field("signed_at", &self.signed_at)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}
