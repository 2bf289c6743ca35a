//! Why a store fails. What each operation answers otherwise is beside it.

/// Why a store could not do what was asked. The messages name no data.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something with that name, id or slug exists.
    #[error("it exists already")]
    AlreadyExists,
    /// What it refers to does not exist.
    #[error("what it refers to does not exist")]
    MissingReference,
    /// A named limit is reached.
    #[error("the limit of {limit} {what} is reached")]
    LimitReached {
        /// How many there may be.
        limit: usize,
        /// Of what.
        what: &'static str,
    },
    /// The account has no active website, which a key needs (CONTRACT 1.2).
    #[error("the account has no active website")]
    WebsiteRequired,
    /// The database cannot be reached or is busy for too long; the same call may succeed later.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database answered what it never should.
    #[error("the database failed")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What a store returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;
