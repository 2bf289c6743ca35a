//! Values that a database stores about itself.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::retention::PurgeClock;
use crate::domain::store::{Error, Result};

use super::sql::{Session, read, values};
use super::store::Store;

/// Name of the time by which records expire: 8 bytes, big-endian.
const PURGE_TIME: &str = "purge_time";
/// Name of the value that proves which key sealed the secrets.
const SECRET_KEY_CHECK: &str = "secret_key_check";

impl Store {
    /// Returns an error unless the database can be written to and read.
    pub async fn check(&self) -> Result<()> {
        // An empty transaction checks that the writer runs and that the database can be written to.
        self.write(|_| Ok(())).await?;
        // Reads use other connections, so read a row that always exists.
        let check = self.read_few(secret_key_check).await?;
        check.map(drop).ok_or_else(|| Error::Broken("the database has no check of its secret key".into()))
    }

    /// Returns the secret for a purpose, derived from the key that seals secrets: the same in all processes.
    pub fn derived_secret(&self, purpose: &str) -> [u8; 32] {
        self.cipher.derived_secret(purpose)
    }

    /// Advances the time by which records expire, and returns it.
    pub async fn advance_purge_time(&self, clock: PurgeClock, now: Moment) -> Result<Timestamp> {
        self.write_exclusive(move |session| {
            session.lock(PURGE_TIME)?;
            let stored =
                session.first("SELECT value FROM settings WHERE name = $1", values![PURGE_TIME], read::array)?;
            let next = clock.next(stored.map(|bytes| Timestamp::from_millis(i64::from_be_bytes(bytes))), now);
            session.execute(
                "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                values![PURGE_TIME, next.millis().to_be_bytes().as_slice()],
            )?;
            Ok(next)
        })
        .await
    }
}

pub(super) fn secret_key_check(session: &mut dyn Session) -> Result<Option<[u8; 32]>> {
    session.first("SELECT value FROM settings WHERE name = $1", values![SECRET_KEY_CHECK], read::array)
}

/// Stores the check of the key, unless there is one. Returns the stored check.
pub(super) fn put_secret_key_check(session: &mut dyn Session, check: &[u8; 32]) -> Result<[u8; 32]> {
    session.execute(
        "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        values![SECRET_KEY_CHECK, check.as_slice()],
    )?;
    Ok(secret_key_check(session)?.unwrap_or(*check))
}
