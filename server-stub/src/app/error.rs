//! Errors of the use cases. Only `http::problem` maps them to status and problem codes. `schema_violation` describes violations
//! of a schema.

use crate::domain::job::JobStatus;
use crate::domain::key::ApiScope;
use crate::domain::names::names;
use crate::domain::personal::Personal;
use crate::domain::store;

/// Maximum number of entries in a problem's `errors` (`problem_errors` under `x-limits`).
const MAX_LISTED: usize = 100;

names! {
    /// Kind of error in a field, parameter or header (`FieldErrorCode`).
    pub enum FieldCode {
        /// Absent.
        Required = "required",
        /// Too few characters or items.
        TooShort = "too_short",
        /// Too many characters.
        TooLong = "too_long",
        /// Wrong type, null, not in the enumeration, or wrong format.
        InvalidFormat = "invalid_format",
        /// A number or a time outside its bounds.
        OutOfRange = "out_of_range",
        /// Too many items or fields.
        TooMany = "too_many",
        /// Unknown field in a strict request.
        UnknownField = "unknown_field",
        /// The referenced resource does not exist.
        NotFound = "not_found",
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
    InsufficientScope(ApiScope),
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
    /// The account has queued as many jobs as it may on this day. Contains the number of seconds until the next day.
    #[error("the account has queued as many articles as it may today; wait for the next day (UTC)")]
    DayFull(u32),
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

/// Violations of a request, without duplicates and limited to the number that a problem lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    listed: Vec<FieldError>,
    has_more: bool,
}

impl Violations {
    /// Returns the violations to list, at most as many as a problem may have.
    pub fn listed(&self) -> &[FieldError] {
        &self.listed
    }

    /// Returns true if there are more violations than listed.
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Returns [`Violations::listed`] as an owned list.
    pub fn into_listed(self) -> Vec<FieldError> {
        self.listed
    }

    /// Returns `Err` if there are any violations.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.listed.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Adds a violation. Skips it if the same code was reported for the same place, because two keywords may report the same
    /// error.
    pub(super) fn push(&mut self, error: FieldError) {
        if self.has_more || self.listed.iter().any(|other| other.code == error.code && other.place == error.place) {
            return;
        }
        if self.listed.len() == MAX_LISTED {
            self.has_more = true;
        } else {
            self.listed.push(error);
        }
    }

    /// Adds `errors`. Stops reading them after the first one beyond the limit.
    pub(super) fn extend(&mut self, errors: impl IntoIterator<Item = FieldError>) {
        let mut errors = errors.into_iter();
        while !self.has_more
            && let Some(error) = errors.next()
        {
            self.push(error);
        }
    }
}

impl From<FieldError> for Violations {
    fn from(error: FieldError) -> Self {
        Self { listed: vec![error], has_more: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(number: usize) -> FieldError {
        FieldError {
            code: FieldCode::TooShort,
            place: Place::Pointer(format!("#/{number}").into()),
            detail: String::new(),
        }
    }

    #[test]
    fn reading_stops_after_the_first_unlisted_violation() {
        let mut read = 0;
        let endless = std::iter::from_fn(|| {
            read += 1;
            // Each violation occurs twice.
            Some(error(read / 2))
        });
        let mut violations = Violations::default();
        violations.extend(endless);
        assert_eq!((violations.listed().len(), violations.has_more()), (100, true));
        assert_eq!(read, 200);
        violations.push(error(0));
        assert_eq!(violations.listed().len(), 100);
    }
}
