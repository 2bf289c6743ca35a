//! Maps SQLite's result codes to the errors of a store. SQLite's messages are only in the source.

use rusqlite::ErrorCode;

use crate::domain::store::Error;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ffi;
        let rusqlite::Error::SqliteFailure(failure, _) = &error else {
            return Self::Broken(Box::new(error));
        };
        match (failure.code, failure.extended_code) {
            (_, ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => Self::AlreadyExists,
            (_, ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => Self::MissingReference,
            (
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::CannotOpen
                | ErrorCode::SystemIoFailure
                | ErrorCode::ReadOnly,
                _,
            ) => Self::Unavailable(Box::new(error)),
            _ => Self::Broken(Box::new(error)),
        }
    }
}

/// Returns true if another connection holds the lock.
pub(super) fn is_busy(error: &Error) -> bool {
    let Error::Unavailable(source) = error else { return false };
    let code = source.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
