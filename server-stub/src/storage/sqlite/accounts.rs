//! Statements about what an account owns: websites, voices, keys. Endpoints of hooks are in `deliveries`.

use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use crate::domain::account::{Account, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::store::{Error, Result};
use crate::domain::voice::BrandVoice;

use super::row::{json, maybe_json, maybe_time, named, parse_website_status, time, to_json, website_status_name};

/// Live keys of an account (CONTRACT 1.2).
const MAX_LIVE_KEYS: usize = 20;

pub(super) fn insert_account(connection: &Connection, account: &Account) -> Result<()> {
    connection.prepare_cached("INSERT INTO accounts (id, name, created_at) VALUES (?1, ?2, ?3)")?.execute((
        &account.id,
        &account.name,
        account.created_at.millis(),
    ))?;
    Ok(())
}

pub(super) fn find_account(connection: &Connection, name_or_id: &str) -> Result<Option<Account>> {
    // An id wins over another account's name that looks like it.
    let mut statement = connection.prepare_cached(
        "SELECT id, name, created_at FROM accounts WHERE id = ?1 OR name = ?1 ORDER BY id = ?1 DESC LIMIT 1",
    )?;
    let mut rows = statement.query([name_or_id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(Account { id: row.get("id")?, name: row.get("name")?, created_at: time(row, "created_at")? }))
}

pub(super) fn insert_website(connection: &Connection, website: &Website) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO websites (id, account_id, status, name, url, language, time_zone, auto_publish, brand_voice_id,
                created_at, updated_at)
             VALUES (:id, :account_id, :status, :name, :url, :language, :time_zone, :auto_publish, :brand_voice_id,
                :created_at, :updated_at)",
        )?
        .execute(named_params! {
            ":id": website.website_id,
            ":account_id": website.account_id,
            ":status": website_status_name(website.status),
            ":name": website.name,
            ":url": website.url,
            ":language": website.language,
            ":time_zone": website.time_zone,
            ":auto_publish": website.auto_publish,
            ":brand_voice_id": website.brand_voice_id,
            ":created_at": website.created_at.millis(),
            ":updated_at": website.updated_at.millis(),
        })?;
    Ok(())
}

pub(super) fn find_website(connection: &Connection, website_id: &str) -> Result<Option<Website>> {
    let mut statement = connection.prepare_cached("SELECT * FROM websites WHERE id = ?1")?;
    let mut rows = statement.query([website_id])?;
    rows.next()?.map(website).transpose()
}

/// Reads a row of `websites`.
pub(super) fn website(row: &Row<'_>) -> Result<Website> {
    Ok(Website {
        account_id: row.get("account_id")?,
        website_id: row.get("id")?,
        status: named(row, "status", parse_website_status)?,
        name: row.get("name")?,
        url: row.get("url")?,
        language: row.get("language")?,
        time_zone: row.get("time_zone")?,
        auto_publish: row.get("auto_publish")?,
        brand_voice_id: row.get("brand_voice_id")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
    })
}

pub(super) fn put_voice(connection: &Connection, account_id: &str, voice: &BrandVoice) -> Result<()> {
    if voice.is_default {
        connection
            .prepare_cached(
                "UPDATE brand_voices SET is_default = 0, profile = json_set(profile, '$.is_default', json('false'))
                 WHERE account_id = ?1 AND is_default = 1 AND id <> ?2",
            )?
            .execute([account_id, &voice.id])?;
    }
    let changed = connection
        .prepare_cached(
            "INSERT INTO brand_voices (id, account_id, is_default, profile) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET is_default = excluded.is_default, profile = excluded.profile
             WHERE account_id = excluded.account_id",
        )?
        .execute((&voice.id, account_id, voice.is_default, to_json(voice)))?;
    if changed == 0 { Err(Error::AlreadyExists) } else { Ok(()) }
}

/// The voice of a website: its own, else the account's default, else the built-in one.
pub(super) fn voice_for(connection: &Connection, website: &Website) -> Result<BrandVoice> {
    let mut statement = connection.prepare_cached(
        "SELECT profile FROM brand_voices WHERE account_id = ?1 AND (id = ?2 OR is_default = 1)
         ORDER BY id IS ?2 DESC LIMIT 1",
    )?;
    let mut rows = statement.query((&website.account_id, &website.brand_voice_id))?;
    rows.next()?.map_or_else(|| Ok(BrandVoice::default()), |row| json(row, "profile"))
}

pub(super) fn insert_key(connection: &Connection, key: &ApiKey) -> Result<()> {
    let has_active_website = connection
        .prepare_cached("SELECT 1 FROM websites WHERE account_id = ?1 AND status = ?2 LIMIT 1")?
        .exists((&key.account_id, website_status_name(WebsiteStatus::Active)))?;
    if !has_active_website {
        return Err(Error::WebsiteRequired);
    }
    let live: u32 = connection
        .prepare_cached(
            "SELECT count(*) FROM api_keys
             WHERE account_id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row((&key.account_id, key.created_at.millis()), |row| row.get(0))?;
    if live as usize >= MAX_LIVE_KEYS {
        return Err(Error::LimitReached { limit: MAX_LIVE_KEYS, what: "live keys" });
    }
    connection
        .prepare_cached(
            "INSERT INTO api_keys (id, account_id, name, secret_hash, last4, permissions, website_ids, quotas, created_at,
                expires_at, revoked_at)
             VALUES (:id, :account_id, :name, :secret_hash, :last4, :permissions, :website_ids, :quotas, :created_at,
                :expires_at, :revoked_at)",
        )?
        .execute(named_params! {
            ":id": key.id,
            ":account_id": key.account_id,
            ":name": key.name,
            ":secret_hash": key.secret_hash.0,
            ":last4": key.last4,
            ":permissions": to_json(&key.permissions),
            ":website_ids": key.website_ids.as_ref().map(to_json),
            ":quotas": to_json(&key.quotas),
            ":created_at": key.created_at.millis(),
            ":expires_at": key.expires_at.map(Timestamp::millis),
            ":revoked_at": key.revoked_at.map(Timestamp::millis),
        })?;
    Ok(())
}

pub(super) fn find_key(connection: &Connection, hash: SecretHash) -> Result<Option<ApiKey>> {
    // Every request begins with this row, so its columns are read by number.
    let mut statement = connection.prepare_cached(
        "SELECT id, account_id, name, secret_hash, last4, permissions, website_ids, quotas, created_at, expires_at, \
         revoked_at FROM api_keys WHERE secret_hash = ?1",
    )?;
    let mut rows = statement.query([hash.0])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(ApiKey {
        id: row.get(0)?,
        account_id: row.get(1)?,
        name: row.get(2)?,
        secret_hash: SecretHash(row.get(3)?),
        last4: row.get(4)?,
        permissions: json(row, 5)?,
        website_ids: maybe_json(row, 6)?,
        quotas: json(row, 7)?,
        created_at: time(row, 8)?,
        expires_at: maybe_time(row, 9)?,
        revoked_at: maybe_time(row, 10)?,
    }))
}

pub(super) fn token_secret(connection: &Connection) -> Result<[u8; 32]> {
    let secret = connection
        .prepare_cached("SELECT value FROM settings WHERE name = 'token_secret'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    secret.ok_or_else(|| Error::Broken("the database has no token secret".into()))
}
