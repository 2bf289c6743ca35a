//! Creates, finds and revokes the keys of an account.

use super::super::page::Listing;
use super::super::{AdminError, App, Page, Setting};
use super::accounts::{MAX_NAME_CHARS, NAME_TOO_LONG, check_line};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::id::{self, Kind};
use crate::domain::key::{ApiKey, ApiScope, KeyQuotas, KeyState, MAX_LIVE_KEYS, Secret, SecretHash};
use crate::domain::search::Search;
use crate::domain::store::{self, KeyFilter, PageKey, PageRequest};

/// Settings of a new key.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// 1..80 characters.
    pub name: String,
    /// API scopes of the key.
    pub scopes: Vec<ApiScope>,
    /// Websites that the key is restricted to.
    pub website_ids: Option<Vec<String>>,
    /// Its own quotas.
    pub quotas: KeyQuotas,
    /// Time from which the key is refused.
    pub expires_at: Option<Timestamp>,
}

/// Filter for the list of keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyQuery {
    /// Current state of the key.
    pub state: Option<KeyState>,
    /// Text in the name of the key.
    pub search: Option<Search>,
}

impl App {
    /// Returns an id for a key that is created later, for example by a form. [`App::create_key_as`] creates the key once, even if
    /// the form is sent again.
    pub fn reserve_key_id(&self) -> String {
        id::new(Kind::ApiKey, self.clock.wall(), &*self.randomness)
    }

    /// Creates a key with a new secret, which is shown once.
    pub async fn create_key(&self, account: &Account, wanted: NewKey) -> Result<(ApiKey, Secret), AdminError> {
        self.create_key_as(account, &self.reserve_key_id(), wanted).await
    }

    /// Creates the key with this id, unless it exists already.
    pub async fn create_key_as(
        &self,
        account: &Account,
        key_id: &str,
        wanted: NewKey,
    ) -> Result<(ApiKey, Secret), AdminError> {
        // This check comes first: the existing key itself may have used up the account's limit.
        if self.store.find_key_by_id(&account.id, key_id).await?.is_some() {
            return Err(AdminError::KeyMadeBefore);
        }
        let secret = Secret::generate(&*self.randomness);
        let key = self.store_key(account, key_id, wanted, &secret).await?;
        Ok((key, secret))
    }

    /// Creates a key with a given secret.
    pub async fn create_key_with(
        &self,
        account: &Account,
        wanted: NewKey,
        secret: &Secret,
    ) -> Result<ApiKey, AdminError> {
        self.store_key(account, &self.reserve_key_id(), wanted, secret).await
    }

    async fn store_key(
        &self,
        account: &Account,
        key_id: &str,
        wanted: NewKey,
        secret: &Secret,
    ) -> Result<ApiKey, AdminError> {
        check_line(Setting::Name, &wanted.name, MAX_NAME_CHARS, NAME_TOO_LONG)?;
        for website_id in wanted.website_ids.iter().flatten() {
            self.check_website(account, website_id).await?;
        }
        let key = ApiKey {
            id: key_id.to_owned(),
            account_id: account.id.clone(),
            name: wanted.name,
            secret_hash: SecretHash::of(secret.reveal()),
            last4: secret.last4(),
            scopes: wanted.scopes,
            website_ids: wanted.website_ids,
            quotas: wanted.quotas,
            created_at: self.clock.wall(),
            expires_at: wanted.expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        let store = self.audited(&account.id, (Action::KeyCreated, Some(&key.id)), Some(&key.name));
        store.create_key(&key).await.map_err(|error| match error {
            store::Error::AlreadyExists => AdminError::KeyMadeBefore,
            other => other.into(),
        })?;
        Ok(key)
    }

    /// Returns a page of the account's keys, newest first: the page that `page_token` points to, or the first one.
    pub async fn find_keys(
        &self,
        account: &Account,
        query: &KeyQuery,
        page_token: Option<&str>,
    ) -> Result<Page<ApiKey>, AdminError> {
        let listing = Listing::new("keys", &account.id)
            .with("state", query.state.map(KeyState::as_str))
            .with("search", query.search.as_ref().map(Search::as_str));
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let state = query.state.map(|state| (state, self.clock.wall()));
        let filter = KeyFilter { state, search: query.search.clone() };
        let rows = self.store.list_keys(&account.id, &filter, &listing.request()).await?;
        Ok(self.page(listing, rows, |key| PageKey { time: key.created_at, id: key.id.clone() }))
    }

    /// Returns the account's newest keys, at most 100.
    pub async fn keys(&self, account: &Account) -> Result<Vec<ApiKey>, AdminError> {
        let page = PageRequest { after: None, limit: 100 };
        Ok(self.store.list_keys(&account.id, &KeyFilter::default(), &page).await?)
    }

    /// Returns true if the account may have another live key.
    pub async fn has_room_for_key(&self, account: &Account) -> Result<bool, AdminError> {
        let filter = KeyFilter { state: Some((KeyState::Live, self.clock.wall())), search: None };
        let limit = u32::try_from(MAX_LIVE_KEYS).unwrap_or(u32::MAX);
        let live = self.store.list_keys(&account.id, &filter, &PageRequest { after: None, limit }).await?;
        Ok(live.len() < MAX_LIVE_KEYS)
    }

    /// Returns the account's key with this id.
    pub async fn key(&self, account: &Account, key_id: &str) -> Result<ApiKey, AdminError> {
        self.store.find_key_by_id(&account.id, key_id).await?.ok_or(AdminError::KeyNotFound)
    }

    /// Revokes a key of the account, from the next request on. Returns false if it was revoked already.
    pub async fn revoke_key(&self, account: &Account, key_id: &str) -> Result<bool, AdminError> {
        let key = self.key(account, key_id).await?;
        let store = self.audited(&account.id, (Action::KeyRevoked, Some(&key.id)), Some(&key.name));
        Ok(store.revoke_key(&account.id, &key.id, self.clock.wall()).await?)
    }

    /// Returns true if a key with this secret exists, live or not.
    pub async fn has_key(&self, secret: &Secret) -> Result<bool, AdminError> {
        Ok(self.store.find_key(SecretHash::of(secret.reveal())).await?.is_some())
    }
}
