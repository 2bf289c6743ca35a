//! Statements about platform keys: the hash is stored, never the key.

use crate::domain::account::WebsiteStatus;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::store::{Error, Result};
use crate::storage::sql::{Session, to_json, values};

use super::accounts::lock_account;

/// Live keys of an account (CONTRACT 1.2).
const MAX_LIVE_KEYS: usize = 20;

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
            expires_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
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
        ],
    )?;
    Ok(())
}

pub(in crate::storage) fn find(session: &mut dyn Session, hash: SecretHash) -> Result<Option<ApiKey>> {
    session.first(
        "SELECT id, account_id, name, secret_hash, last4, permissions, website_ids, quotas, created_at, expires_at, \
         revoked_at FROM api_keys WHERE secret_hash = $1",
        values![hash.0.as_slice()],
        |row| {
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
            })
        },
    )
}
