//! Maps PostgreSQL's error conditions to the errors of a store. PostgreSQL's messages are only in the source, without quoted
//! values of rows.

use tokio_postgres::error::{DbError, SqlState};

use crate::domain::store::Error;

/// Error of a connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectionError {
    /// PostgreSQL reported an error.
    #[error(transparent)]
    Reported(Reported),
    /// The connection broke, or a value has an unexpected type.
    #[error(transparent)]
    Driver(tokio_postgres::Error),
    /// The system lacks the resources for a connection.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// No response arrived in time.
    #[error("PostgreSQL does not respond")]
    TimedOut,
}

/// Error that PostgreSQL reported. Its fields `DETAIL`, `HINT` and `CONTEXT` may quote a row, so they are not kept.
#[derive(Debug, thiserror::Error)]
#[error("{severity} {}: {message}", .code.code())]
pub(super) struct Reported {
    severity: String,
    pub(super) code: SqlState,
    pub(super) message: String,
}

impl Reported {
    fn new(error: &DbError) -> Self {
        let code = error.code().clone();
        let message = if may_quote_a_value(code.code()) { "(the message may quote a value)" } else { error.message() };
        Self { severity: error.severity().to_owned(), message: message.to_owned(), code }
    }
}

/// Returns true for data exceptions (22) and errors raised by functions (P0), whose messages quote values. All other classes
/// name only parts of the schema.
fn may_quote_a_value(code: &str) -> bool {
    code.starts_with("22") || code.starts_with("P0")
}

impl ConnectionError {
    /// Returns the error that the server reported, if any.
    pub(super) const fn reported(&self) -> Option<&Reported> {
        match self {
            Self::Reported(reported) => Some(reported),
            Self::Driver(_) | Self::System(_) | Self::TimedOut => None,
        }
    }
}

impl From<tokio_postgres::Error> for ConnectionError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error().map(Reported::new) {
            Some(reported) => Self::Reported(reported),
            None => Self::Driver(error),
        }
    }
}

impl From<ConnectionError> for Error {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Reported(reported) if reported.code == SqlState::UNIQUE_VIOLATION => Self::AlreadyExists,
            ConnectionError::Reported(reported) if reported.code == SqlState::FOREIGN_KEY_VIOLATION => {
                Self::MissingReference
            }
            ConnectionError::Reported(reported) if is_transient(reported.code.code()) => {
                Self::Unavailable(Box::new(reported))
            }
            ConnectionError::Driver(error) if error.is_closed() || is_about_io(&error) => {
                Self::Unavailable(Box::new(error))
            }
            ConnectionError::System(_) | ConnectionError::TimedOut => Self::Unavailable(Box::new(error)),
            ConnectionError::Reported(reported) => Self::Broken(Box::new(reported)),
            ConnectionError::Driver(error) => Self::Broken(Box::new(error)),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        ConnectionError::from(error).into()
    }
}

/// Returns true for: connection lost (08), read-only (25006), rolled back for others (40), resources used up (53), wrong state
/// (55), operator (57), system (58). These are classes of appendix A of PostgreSQL's documentation.
fn is_transient(code: &str) -> bool {
    code == SqlState::READ_ONLY_SQL_TRANSACTION.code()
        || ["08", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class))
}

/// Returns true if the same transaction may succeed at once: it was rolled back to let another one continue.
pub(super) fn is_deadlock(error: &ConnectionError) -> bool {
    error.reported().is_some_and(|reported| {
        reported.code == SqlState::T_R_DEADLOCK_DETECTED || reported.code == SqlState::T_R_SERIALIZATION_FAILURE
    })
}

fn is_about_io(error: &tokio_postgres::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<std::io::Error>() {
            return true;
        }
        cause = inner.source();
    }
    false
}
