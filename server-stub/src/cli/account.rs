//! `account`, `key`, `lead` and `user`: manage accounts and their keys, leads and users.

use futures::{TryStreamExt as _, pin_mut};
use serde_json::json;

use super::database::{open, open_account};
use super::failure::{Exit, Failure};
use super::output::{json_lines, print, table, text_or_empty};
use crate::app::{App, NewKey, RateLimitPolicy};
use crate::config::{Account, CreateKey, Key, Lead, List, User};
use crate::domain::account as domain;
use crate::domain::clock::Timestamp;
use crate::domain::duration;
use crate::domain::key::{ApiKey, ApiScope, KeyQuotas};
use crate::domain::user::SIGN_IN_LINK_LIFETIME;

pub(super) async fn account(command: Account) -> Result<(), Failure> {
    match command {
        Account::Create { database, name } => {
            let account = open(&database)?.create_account(&name).await?;
            print(&format!("account: {}\nname: {}\n", account.id, account.name))
        }
        Account::Delete { owner, confirm } => {
            let (app, account) = open_account(&owner).await?;
            app.delete_account(&account, &confirm).await?;
            print(&format!("deleted: {}\n", account.id))
        }
    }
}

pub(super) async fn key(command: Key) -> Result<(), Failure> {
    match command {
        Key::Create(options) => {
            let (app, account) = open_account(&options.owner).await?;
            create_key(&app, &account, options).await
        }
        Key::List(List { owner, json }) => {
            let (app, account) = open_account(&owner).await?;
            let (keys, now) = (app.keys(&account).await?, app.clock().wall());
            if json {
                return print(&json_lines(keys.iter().map(|key| key_object(key, now))));
            }
            let rows: Vec<_> = keys.iter().map(|key| key_row(key, now)).collect();
            print(&table(["key_id", "state", "name", "last4", "scopes", "websites", "last_used", "expires"], &rows))
        }
        // Succeeds if the key was already revoked.
        Key::Revoke { owner, id } => {
            let (app, account) = open_account(&owner).await?;
            app.revoke_key(&account, &id).await?;
            let key = app.key(&account, &id).await?;
            let revoked_at = text_or_empty(key.revoked_at);
            print(&format!("key_id: {}\nname: {}\nrevoked_at: {revoked_at}\n", key.id, key.name))
        }
    }
}

async fn create_key(app: &App, account: &domain::Account, options: CreateKey) -> Result<(), Failure> {
    let mut quotas = KeyQuotas::default();
    for (policy, quota) in options.quotas {
        let place = match policy {
            RateLimitPolicy::Generate => &mut quotas.generate,
            RateLimitPolicy::Api => &mut quotas.api,
        };
        if place.replace(quota).is_some() {
            return Err(Failure::new(Exit::Usage, format!("--quota {} is given twice; keep one", policy.as_str())));
        }
    }
    let wanted = NewKey {
        name: options.name,
        scopes: if options.scopes.is_empty() { ApiScope::ALL.to_vec() } else { options.scopes },
        website_ids: (!options.websites.is_empty()).then_some(options.websites),
        quotas,
        expires_at: options.expires,
    };
    let (key, secret) = app.create_key(account, wanted).await?;
    print(&format!("key: {}\nkey_id: {}\nKeep the key now; it is not shown again.\n", secret.reveal(), key.id))
}

fn key_row(key: &ApiKey, now: Timestamp) -> [String; 8] {
    let scopes: Vec<_> = key.scopes.iter().map(|scope| scope.as_str()).collect();
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

fn key_object(key: &ApiKey, now: Timestamp) -> serde_json::Value {
    json!({
        "key_id": key.id,
        "state": key.state(now).as_str(),
        "name": key.name,
        "last4": key.last4,
        "scopes": key.scopes,
        "website_ids": key.website_ids,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    })
}

pub(super) async fn lead(command: Lead) -> Result<(), Failure> {
    match command {
        Lead::Export { owner, email } => {
            let (app, account) = open_account(&owner).await?;
            let leads = app.export_person(&account, &email).await?;
            pin_mut!(leads);
            while let Some(lead) = leads.try_next().await? {
                print(&format!("{}\n", lead.to_json()))?;
            }
        }
        Lead::Erase { owner, which } => {
            let (app, account) = open_account(&owner).await?;
            if let Some(email) = &which.email {
                let count = app.erase_person(&account, email).await?;
                print(&format!("erased: {count}\n"))?;
            } else if let Some(lead_id) = &which.id {
                app.erase_lead(&account, lead_id).await?;
                print(&format!("erased: {lead_id}\n"))?;
            }
        }
    }
    Ok(())
}

pub(super) async fn user(command: User) -> Result<(), Failure> {
    let (User::Create(options) | User::Link(options)) = &command;
    let (app, account) = open_account(&options.owner).await?;
    let user = match command {
        User::Create(_) => {
            let user = app.create_user(&account, &options.email).await?;
            print(&format!("user: {}\nemail: {}\n", user.id, user.email.as_str()))?;
            user
        }
        User::Link(_) => app.user(&account, &options.email).await?,
    };
    let token = app.create_sign_in_link(&user).await?;
    let url = options.public_url.absolute(&format!("/dashboard/sign-in/{}", token.reveal()));
    let valid_for = duration::show(SIGN_IN_LINK_LIFETIME);
    print(&format!("sign_in_url: {url}\nThe link works once, within {valid_for}; a password can be set then.\n"))
}
