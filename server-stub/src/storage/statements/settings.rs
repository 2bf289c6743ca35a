//! Statements about what a database keeps about itself.

use crate::domain::store::{Error, Result};
use crate::storage::sql::{Session, read, values};

/// Signs page tokens; 32 random bytes that the first migration writes.
const TOKEN_SECRET: &str = "token_secret";
/// Proves that a key is the one that the secrets were sealed with.
const SECRET_KEY_CHECK: &str = "secret_key_check";

pub(in crate::storage) fn token_secret(session: &mut dyn Session) -> Result<[u8; 32]> {
    let secret = session.first("SELECT value FROM settings WHERE name = $1", values![TOKEN_SECRET], read::array)?;
    secret.ok_or_else(|| Error::Broken("the database has no token secret".into()))
}

pub(in crate::storage) fn secret_key_check(session: &mut dyn Session) -> Result<Option<[u8; 32]>> {
    session.first("SELECT value FROM settings WHERE name = $1", values![SECRET_KEY_CHECK], read::array)
}

/// Stores the check of the key, unless there is one, and returns the one that is stored.
pub(in crate::storage) fn put_secret_key_check(session: &mut dyn Session, check: &[u8; 32]) -> Result<[u8; 32]> {
    session.execute(
        "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        values![SECRET_KEY_CHECK, check.as_slice()],
    )?;
    Ok(secret_key_check(session)?.unwrap_or(*check))
}
