//! Platform keys. Only the hash of a key is stored.

use std::time::Duration;

use crate::domain::account::WebsiteStatus;
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, MAX_LIVE_KEYS, MAX_NEW_KEYS_PER_DAY, SecretHash};
use crate::domain::store::{Error, Result};

use super::accounts::lock_account;
use super::sql::{Columns, Session, to_json, values};
use super::store::{Engine, Store};

const DAY: Duration = Duration::from_hours(24);

/// The columns of a key in the order in which [`key`] reads them.
macro_rules! key_columns {
    () => {
        "id, account_id, name, secret_hash, last4, scopes, website_ids, quotas, created_at, expires_at, revoked_at,
            last_used_at"
    };
}
pub(super) use key_columns;

impl Store {
    /// Stores a key. Requires an active website; allows at most 20 live keys per account, and 50 new ones within 24 hours.
    pub async fn create_key(&self, key: &ApiKey) -> Result<()> {
        let key = key.clone();
        self.change_exclusive(move |session| {
            lock_account(session, &key.account_id)?;
            let has_active_website = session.exists(
                "SELECT 1 FROM websites WHERE account_id = $1 AND status = $2 LIMIT 1",
                values![&key.account_id, WebsiteStatus::Active.as_str()],
            )?;
            if !has_active_website {
                return Err(Error::WebsiteRequired);
            }
            let live = session.number(
                "SELECT count(*) FROM api_keys
                 WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
                values![&key.account_id, key.created_at],
            )?;
            if usize::try_from(live).is_ok_and(|live| live >= MAX_LIVE_KEYS) {
                return Err(Error::LimitReached { limit: MAX_LIVE_KEYS, what: "live keys" });
            }
            let new = session.number(
                "SELECT count(*) FROM api_keys WHERE account_id = $1 AND created_at > $2",
                values![&key.account_id, key.created_at.minus(DAY)],
            )?;
            if usize::try_from(new).is_ok_and(|new| new >= MAX_NEW_KEYS_PER_DAY) {
                return Err(Error::LimitReached { limit: MAX_NEW_KEYS_PER_DAY, what: "new keys within 24 hours" });
            }
            session.execute(
                "INSERT INTO api_keys (id, account_id, name, secret_hash, last4, scopes,
                    website_ids, quotas, created_at,
                    expires_at, revoked_at, last_used_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
                values![
                    &key.id,
                    &key.account_id,
                    &key.name,
                    key.secret_hash.0.as_slice(),
                    &key.last4,
                    &to_json(&key.scopes),
                    key.website_ids.as_ref().map(to_json).as_deref(),
                    &to_json(&key.quotas),
                    key.created_at,
                    key.expires_at,
                    key.revoked_at,
                    key.last_used_at,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the key with that hash, live or not.
    pub async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        let read = move |session: &mut dyn Session| {
            session.first(
                concat!("SELECT ", key_columns!(), " FROM api_keys WHERE secret_hash = $1"),
                values![hash.0.as_slice()],
                key,
            )
        };
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_key(hash, read).await,
            Engine::Postgres(postgres) => postgres.readers.read(read).await,
        }
    }

    /// Returns the account's key with that id, live or not.
    pub async fn find_key_by_id(&self, account_id: &str, key_id: &str) -> Result<Option<ApiKey>> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.read_few(move |session| {
            session.first(
                concat!("SELECT ", key_columns!(), " FROM api_keys WHERE id = $1 AND account_id = $2"),
                values![&key_id, &account_id],
                key,
            )
        })
        .await
    }

    /// Revokes a key of the account. Returns true if it was not revoked before.
    pub async fn revoke_key(&self, account_id: &str, key_id: &str, now: Timestamp) -> Result<bool> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.change_exclusive(move |session| {
            let changed = session.execute(
                "UPDATE api_keys SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL",
                values![&key_id, &account_id, now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Records when keys were last used. Ignores a time before the stored one. Sorts the ids, so that concurrent calls
    /// do not deadlock.
    pub async fn note_key_uses(&self, uses: &[(String, Timestamp)]) -> Result<()> {
        let mut uses = uses.to_vec();
        uses.sort_unstable();
        self.write_exclusive(move |session| {
            for (key_id, used_at) in &uses {
                session.execute(
                    "UPDATE api_keys SET last_used_at = $2 WHERE id = $1
                        AND (last_used_at IS NULL OR last_used_at < $2)",
                    values![key_id, *used_at],
                )?;
            }
            Ok(())
        })
        .await
    }
}

/// Reads the columns of `key_columns`.
pub(super) fn key(row: &mut Columns<'_>) -> Result<ApiKey> {
    Ok(ApiKey {
        id: row.text()?,
        account_id: row.text()?,
        name: row.text()?,
        secret_hash: SecretHash(row.array()?),
        last4: row.text()?,
        scopes: row.json()?,
        website_ids: row.maybe_json()?,
        quotas: row.json()?,
        created_at: row.time()?,
        expires_at: row.maybe_time()?,
        revoked_at: row.maybe_time()?,
        last_used_at: row.maybe_time()?,
    })
}
