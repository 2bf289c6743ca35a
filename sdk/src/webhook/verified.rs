//! A hook whose signature was verified, and the event in it.

use std::fmt;
use std::time::SystemTime;

use serde_json::error::Category;

use super::{EventError, HookEvent};

/// A hook that comes from a holder of the secret.
#[derive(Clone)]
pub struct Verified<'a> {
    id: String,
    signed_at: SystemTime,
    body: &'a [u8],
}

impl<'a> Verified<'a> {
    /// A hook that was verified.
    pub(super) fn new(id: &str, signed_at: SystemTime, body: &'a [u8]) -> Self {
        Self { id: id.to_owned(), signed_at, body }
    }

    /// The id of the event: the same whenever it is sent again, so that it can be handled once.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When this attempt to send it was signed.
    pub fn signed_at(&self) -> SystemTime {
        self.signed_at
    }

    /// The bytes that were verified.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The event. One of a kind that this crate does not know is [`HookEvent::Unknown`], not an error.
    ///
    /// # Errors
    ///
    /// [`EventError`]: the body is not JSON, or an event of a known kind has another form than the document says.
    pub fn event(&self) -> Result<HookEvent, EventError> {
        read(self.body)
    }
}

/// Reads the event in a body.
pub(super) fn read(body: &[u8]) -> Result<HookEvent, EventError> {
    serde_json::from_slice(body).map_err(|fault| match fault.classify() {
        Category::Data => match missing_member(&fault.to_string()) {
            Some(name) => EventError::MissingMember { name: name.to_owned() },
            None => EventError::UnexpectedShape,
        },
        Category::Io | Category::Syntax | Category::Eof => EventError::NotJson,
    })
}

/// The member that the decoder's error says is missing. Other errors of its quote the body.
fn missing_member(fault: &str) -> Option<&str> {
    let (name, _) = fault.strip_prefix("missing field `")?.split_once('`')?;
    Some(name)
}

/// Without the body, which may have personal data in it.
impl fmt::Debug for Verified<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Verified")
            .field("id", &self.id)
            .field("signed_at", &self.signed_at)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}
