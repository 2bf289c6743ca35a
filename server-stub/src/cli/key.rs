//! `key list` and `key revoke`: list keys and revoke one.

use std::fmt::Write as _;

use serde_json::json;

use super::failure::Failure;
use super::run::print;
use super::table::{table, text_or_empty};
use crate::app::App;
use crate::config::{ListKeys, RevokeKey};
use crate::domain::clock::Timestamp;
use crate::domain::key::ApiKey;

pub(super) async fn list(app: &App, options: &ListKeys) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    let (keys, now) = (app.keys(&account).await?, app.clock().wall());
    if options.json {
        return print(&keys.iter().fold(String::new(), |mut text, key| {
            let _ = writeln!(text, "{}", object(key, now));
            text
        }));
    }
    let rows: Vec<_> = keys.iter().map(|key| row(key, now)).collect();
    print(&table(["key_id", "state", "name", "last4", "scopes", "websites", "last_used", "expires"], &rows))
}

fn row(key: &ApiKey, now: Timestamp) -> [String; 8] {
    let scopes: Vec<_> = key.permissions.iter().map(|permission| permission.as_str()).collect();
    [
        key.id.clone(),
        key.state(now).as_str().to_owned(),
        key.name.clone(),
        key.last4.clone(),
        scopes.join(","),
        text_or_empty(key.website_ids.as_ref().map(|ids| ids.join(","))),
        text_or_empty(key.last_used_at),
        text_or_empty(key.expires_at),
    ]
}

fn object(key: &ApiKey, now: Timestamp) -> serde_json::Value {
    json!({
        "key_id": key.id,
        "state": key.state(now).as_str(),
        "name": key.name,
        "last4": key.last4,
        "scopes": key.permissions,
        "website_ids": key.website_ids,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    })
}

/// Revokes the key. Succeeds if it was already revoked.
pub(super) async fn revoke(app: &App, options: &RevokeKey) -> Result<(), Failure> {
    let account = app.account(&options.account).await?;
    app.revoke_key(&account, &options.id).await?;
    let key = app.key(&account, &options.id).await?;
    print(&format!("key_id: {}\nname: {}\nrevoked_at: {}\n", key.id, key.name, text_or_empty(key.revoked_at)))
}
