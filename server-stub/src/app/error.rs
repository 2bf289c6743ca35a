//! Errors of the use cases. Only `http::problem` maps them to status and problem codes.

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
    /// Wrong type, null, not in the enumeration, or wrong format.
    InvalidFormat,
    /// A number or a time outside its bounds.
    OutOfRange,
    /// Too many items or fields.
    TooMany,
    /// Unknown field in a strict request.
    UnknownField,
    /// The referenced resource does not exist.
    NotFound,
}

impl FieldCode {
    /// Returns the code in the API.
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

/// Location of an error in a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A JSON Pointer as a URI fragment, `#/topic`. It may contain field names that a visitor made up.
    Pointer(Personal<String>),
    /// A query parameter's name.
    Parameter(String),
    /// A header's name.
    Header(&'static str),
}

/// One error in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Kind of the error.
    pub code: FieldCode,
    /// Location of the error.
    pub place: Place,
    /// Sentence for people. It never repeats the sent value.
    pub detail: String,
}

/// Reason why a use case refused a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The key's text is malformed, or the key is unknown, revoked or expired; the response does not say which.
    #[error("the key is not valid")]
    InvalidCredentials,
    /// The key lacks an API scope.
    #[error("the key lacks the scope {}", .0.as_str())]
    InsufficientScope(Permission),
    /// The page token is expired, or was issued for another list, another account or other filters.
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
    /// The hosted site has no such page.
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
    /// The id belongs to a job that has not finished.
    #[error("the article is not written yet")]
    ArticleNotReady,
    /// The id belongs to a job that failed.
    #[error("the job failed")]
    GenerationFailed,
    /// The id belongs to a job that was cancelled.
    #[error("the job was cancelled")]
    GenerationCancelled,
    /// The job ended before it could be cancelled.
    #[error("the job has already {}", .0.as_str())]
    JobNotCancellable(JobStatus),
    /// Too many unfinished jobs.
    #[error("too many jobs are unfinished")]
    QueueFull,
    /// The store is temporarily unavailable.
    #[error("the database is unavailable")]
    Unavailable(#[source] store::Error),
    /// The store failed because of a bug or a broken database.
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
