//! The errors of a store.

/// The reason why a store could not do its work. The messages contain no data.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A record with that name, id or slug already exists.
    #[error("the record exists already")]
    AlreadyExists,
    /// A referenced record does not exist.
    #[error("the record refers to a record that does not exist")]
    MissingReference,
    /// A named limit is reached.
    #[error("the limit of {limit} {what} is reached")]
    LimitReached {
        /// Maximum number.
        limit: usize,
        /// Kind of the limited records, such as `users`.
        what: &'static str,
    },
    /// The account has no active website, which a key needs.
    #[error("the account has no active website")]
    WebsiteRequired,
    /// The database cannot be reached or is busy for too long; the same call may succeed later.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database failed in a way that is a bug or damage.
    #[error("the database failed")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The result of a method of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;
