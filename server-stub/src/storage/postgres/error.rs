//! What PostgreSQL's conditions mean to the users of a store. The messages of PostgreSQL go into the source only.

use tokio_postgres::error::{DbError, SqlState};

use crate::domain::store::Error;

/// Why a connection did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectionError {
    /// PostgreSQL refused something, or the connection broke.
    #[error(transparent)]
    Driver(#[from] tokio_postgres::Error),
    /// The system gave too little to connect with.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// No response came in time.
    #[error("PostgreSQL does not answer")]
    TimedOut,
}

impl ConnectionError {
    /// The error that the server itself reported, if it did.
    pub(super) fn db_error(&self) -> Option<&DbError> {
        match self {
            Self::Driver(error) => error.as_db_error(),
            Self::System(_) | Self::TimedOut => None,
        }
    }
}

impl From<ConnectionError> for Error {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Driver(error) => error.into(),
            ConnectionError::System(_) | ConnectionError::TimedOut => Self::Unavailable(error.into()),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(code) if *code == SqlState::UNIQUE_VIOLATION => Self::AlreadyExists,
            Some(code) if *code == SqlState::FOREIGN_KEY_VIOLATION => Self::MissingReference,
            Some(code) if is_transient(code.code()) => Self::Unavailable(Box::new(error)),
            // Without a code the connection broke, or a value could not be read as what it should be.
            None if error.is_closed() || is_about_io(&error) => Self::Unavailable(Box::new(error)),
            _ => Self::Broken(Box::new(error)),
        }
    }
}

/// Connection lost (08), read-only (25006), rolled back for others (40), resources used up (53), not in the state for it (55),
/// operator (57), system (58): classes of appendix A of PostgreSQL's documentation.
fn is_transient(code: &str) -> bool {
    code == SqlState::READ_ONLY_SQL_TRANSACTION.code()
        || ["08", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class))
}

/// Whether the same transaction may succeed at once: it was rolled back so that another one could go on.
pub(super) fn is_deadlock(error: &ConnectionError) -> bool {
    let ConnectionError::Driver(error) = error else { return false };
    error
        .code()
        .is_some_and(|code| *code == SqlState::T_R_DEADLOCK_DETECTED || *code == SqlState::T_R_SERIALIZATION_FAILURE)
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
