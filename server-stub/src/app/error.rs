//! Why a use case refuses. Which status and problem code that becomes is decided in `http::problem` alone.

use super::violations::Violations;
use crate::domain::job::JobStatus;
use crate::domain::key::Permission;
use crate::domain::personal::Personal;
use crate::domain::store;

/// Kind of error in a field, parameter or header (`FieldErrorCode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldCode {
    /// Absent.
    Required,
    /// Too few characters or items.
    TooShort,
    /// Too many characters.
    TooLong,
    /// Wrong type, null, outside an enumeration, or not of the form asked for.
    InvalidFormat,
    /// A number or a time outside its bounds.
    OutOfRange,
    /// Too many items or members.
    TooMany,
    /// Not a member of the request, and the caller asked for strictness.
    UnknownField,
    /// What it names does not exist.
    NotFound,
}

impl FieldCode {
    /// The code in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::InvalidFormat => "invalid_format",
            Self::OutOfRange => "out_of_range",
            Self::TooMany => "too_many",
            Self::UnknownField => "unknown_field",
            Self::NotFound => "not_found",
        }
    }
}

/// Which part of a request is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A JSON Pointer as a URI fragment, `#/topic`. It may name members that a visitor made up.
    Pointer(Personal<String>),
    /// A query parameter's name.
    Parameter(String),
    /// A header's name.
    Header(&'static str),
}

/// One thing that is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// What is wrong.
    pub code: FieldCode,
    /// Where.
    pub place: Place,
    /// A sentence for people that repeats nothing of what was sent.
    pub detail: String,
}

/// Why a use case refuses.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The key's text is malformed, or the key is unknown, revoked or expired; the response does not say which.
    #[error("the key is not valid")]
    InvalidCredentials,
    /// The key may not do this.
    #[error("the key lacks the scope {}", .0.as_str())]
    InsufficientScope(Permission),
    /// A token that this list did not issue to this account, or not with these filters, or too long ago.
    #[error("unknown or expired page token")]
    InvalidPageToken,
    /// The body or the query breaks its schema.
    #[error("{} schema violations were found", .0.listed().len())]
    Validation(Violations),
    /// The idempotency key was used with another body.
    #[error("the idempotency key was used with another body")]
    IdempotencyMismatch,
    /// The website named in a body does not exist for the caller.
    #[error("there is no such website")]
    WebsiteNotFound,
    /// The website is paused or archived.
    #[error("the website is not active")]
    WebsiteInactive,
    /// The website named in an address does not exist.
    #[error("there is no such page")]
    NoSuchPage,
    /// No such article for the caller.
    #[error("there is no such article")]
    ArticleNotFound,
    /// No such job for the caller.
    #[error("there is no such job")]
    JobNotFound,
    /// No such lead for the caller.
    #[error("there is no such lead")]
    LeadNotFound,
    /// No such scheduled post for the caller.
    #[error("there is no such scheduled post")]
    ScheduledPostNotFound,
    /// The id is a job's that is not finished.
    #[error("the article is not written yet")]
    ArticleNotReady,
    /// The id is a job's that failed.
    #[error("the job failed")]
    GenerationFailed,
    /// The id is a job's that was cancelled.
    #[error("the job was cancelled")]
    GenerationCancelled,
    /// The job ended before it could be cancelled.
    #[error("the job has already {}", .0.as_str())]
    JobNotCancellable(JobStatus),
    /// Too many unfinished jobs.
    #[error("too many jobs are unfinished")]
    QueueFull,
    /// The store is unavailable now.
    #[error("the database is unavailable")]
    Unavailable(#[source] store::Error),
    /// The store failed in a way that is a bug or a broken database.
    #[error("the database failed")]
    Store(#[source] store::Error),
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(_) => Self::Unavailable(error),
            _ => Self::Store(error),
        }
    }
}
