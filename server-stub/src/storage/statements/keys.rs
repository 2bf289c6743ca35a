//! Statements about platform keys: the hash is stored, never the key.

use crate::domain::account::WebsiteStatus;
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, MAX_LIVE_KEYS, SecretHash};
use crate::domain::store::{Error, Result};
use crate::storage::sql::{Columns, Session, to_json, values};

use super::accounts::lock_account;

/// The columns of a key in the order in which [`key`] reads them.
macro_rules! key_columns {
    () => {
        "id, account_id, name, secret_hash, last4, permissions, website_ids, quotas, created_at, expires_at, revoked_at,
            last_used_at"
    };
}
pub(super) use key_columns;

pub(in crate::storage) fn insert(session: &mut dyn Session, key: &ApiKey) -> Result<()> {
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
    session.execute(
        "INSERT INTO api_keys (id, account_id, name, secret_hash, last4, permissions, website_ids, quotas, created_at,
            expires_at, revoked_at, last_used_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        values![
            &key.id,
            &key.account_id,
            &key.name,
            key.secret_hash.0.as_slice(),
            &key.last4,
            &to_json(&key.permissions),
            key.website_ids.as_ref().map(to_json).as_deref(),
            &to_json(&key.quotas),
            key.created_at,
            key.expires_at,
            key.revoked_at,
            key.last_used_at,
        ],
    )?;
    Ok(())
}

pub(in crate::storage) fn find(session: &mut dyn Session, hash: SecretHash) -> Result<Option<ApiKey>> {
    session.first(
        concat!("SELECT ", key_columns!(), " FROM api_keys WHERE secret_hash = $1"),
        values![hash.0.as_slice()],
        key,
    )
}

pub(in crate::storage) fn find_by_id(
    session: &mut dyn Session,
    account_id: &str,
    key_id: &str,
) -> Result<Option<ApiKey>> {
    session.first(
        concat!("SELECT ", key_columns!(), " FROM api_keys WHERE id = $1 AND account_id = $2"),
        values![key_id, account_id],
        key,
    )
}

pub(in crate::storage) fn revoke(
    session: &mut dyn Session,
    account_id: &str,
    key_id: &str,
    now: Timestamp,
) -> Result<bool> {
    let changed = session.execute(
        "UPDATE api_keys SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL",
        values![key_id, account_id, now],
    )?;
    Ok(changed > 0)
}

/// `uses` are in the order of their ids, so that two that note at once do not wait for each other.
pub(in crate::storage) fn note_uses(session: &mut dyn Session, uses: &[(String, Timestamp)]) -> Result<()> {
    for (key_id, used_at) in uses {
        session.execute(
            "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
            values![key_id, *used_at],
        )?;
    }
    Ok(())
}

/// Reads the columns of `key_columns`.
pub(super) fn key(row: &mut Columns<'_>) -> Result<ApiKey> {
    Ok(ApiKey {
        id: row.text()?,
        account_id: row.text()?,
        name: row.text()?,
        secret_hash: SecretHash(row.array()?),
        last4: row.text()?,
        permissions: row.json()?,
        website_ids: row.maybe_json()?,
        quotas: row.json()?,
        created_at: row.time()?,
        expires_at: row.maybe_time()?,
        revoked_at: row.maybe_time()?,
        last_used_at: row.maybe_time()?,
    })
}
