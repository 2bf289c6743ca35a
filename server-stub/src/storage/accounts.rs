//! [`Accounts`] on a database.

use std::time::Duration;

use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::store::{KeyFilter, PageRequest, Result, WebsiteFilter};
use crate::storage::sql::Session;
use crate::storage::statements::{accounts, keys, lists};

use super::store::{Engine, Store};

impl Store {
    /// Stores an account. [`AlreadyExists`](crate::domain::store::Error::AlreadyExists) when the name is taken.
    pub async fn create_account(&self, account: &Account) -> Result<()> {
        let account = account.clone();
        self.change(move |session| accounts::insert_account(session, &account)).await
    }

    /// The account with that name or id.
    pub async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        let name_or_id = name_or_id.to_owned();
        self.read_few(move |session| accounts::find_account(session, &name_or_id)).await
    }

    /// Renames an account. [`AlreadyExists`](crate::domain::store::Error::AlreadyExists) when the name is taken. Returns whether it has a new name.
    pub async fn rename_account(&self, account_id: &str, name: &str) -> Result<bool> {
        let (account_id, name) = (account_id.to_owned(), name.to_owned());
        self.change_alone(move |session| accounts::rename_account(session, &account_id, &name)).await
    }

    /// Stores a website. [`LimitReached`](crate::domain::store::Error::LimitReached) when the account has [`MAX_WEBSITES`] of them.
    pub async fn create_website(&self, website: &Website) -> Result<()> {
        let website = website.clone();
        self.change(move |session| accounts::insert_website(session, &website)).await
    }

    /// Replaces the settings of a website of its account, not its state. Returns whether there is such a website.
    pub async fn update_website(&self, website: &Website) -> Result<bool> {
        let website = website.clone();
        self.change_alone(move |session| accounts::update_website(session, &website)).await
    }

    /// Sets the state of a website. Returns whether there is such a website.
    pub async fn set_website_status(&self, website_id: &str, status: WebsiteStatus, now: Timestamp) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.change_alone(move |session| accounts::set_website_status(session, &website_id, status, now)).await
    }

    /// The website, whoever owns it.
    pub async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        let website_id = website_id.to_owned();
        self.read_few(move |session| accounts::find_website(session, &website_id)).await
    }

    /// A page of websites.
    pub async fn list_websites(
        &self,
        scope: &Scope,
        filter: &WebsiteFilter,
        page: &PageRequest,
    ) -> Result<Vec<Website>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.read_page(is_short, move |session| lists::websites(session, &scope, &filter, &page)).await
    }

    /// Sets the publishing slots of a website. Posts that are scheduled keep their times. Returns whether there is such a website.
    pub async fn set_publishing_slots(
        &self,
        website_id: &str,
        slots: &PublishingSlots,
        now: Timestamp,
    ) -> Result<bool> {
        let (website_id, slots) = (website_id.to_owned(), slots.clone());
        self.change_alone(move |session| accounts::set_publishing_slots(session, &website_id, &slots, now)).await
    }

    /// Sets how long the leads of a website are kept; `None` means for ever. Returns whether there is such a website.
    pub async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.change(move |session| accounts::set_lead_retention(session, &website_id, retention)).await
    }

    /// Sets what the lead forms of a website show and ask for. Returns whether there is such a website.
    pub async fn set_lead_form(&self, website_id: &str, form: &LeadForm, now: Timestamp) -> Result<bool> {
        let (website_id, form) = (website_id.to_owned(), form.clone());
        self.change_alone(move |session| accounts::set_lead_form(session, &website_id, &form, now)).await
    }

    /// Whether the website had that consent text at `since` or later, and has another one now.
    pub async fn is_former_consent_text(&self, website_id: &str, text: &str, since: Timestamp) -> Result<bool> {
        let (website_id, text) = (website_id.to_owned(), text.to_owned());
        let read =
            move |session: &mut dyn Session| accounts::is_former_consent_text(session, &website_id, &text, since);
        self.read_few(read).await
    }

    /// Stores a key. Needs an active website; at most 20 live keys per account.
    pub async fn create_key(&self, key: &ApiKey) -> Result<()> {
        let key = key.clone();
        self.change(move |session| keys::insert(session, &key)).await
    }

    /// The key with that hash, live or not.
    pub async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        let read = move |session: &mut dyn Session| keys::find(session, hash);
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_key(hash, read).await,
            Engine::Postgres(postgres) => postgres.read_few(read).await,
        }
    }

    /// The account's key with that id, live or not.
    pub async fn find_key_by_id(&self, account_id: &str, key_id: &str) -> Result<Option<ApiKey>> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.read_few(move |session| keys::find_by_id(session, &account_id, &key_id)).await
    }

    /// A page of an account's keys.
    pub async fn list_keys(&self, account_id: &str, filter: &KeyFilter, page: &PageRequest) -> Result<Vec<ApiKey>> {
        let scope = Scope { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        self.read_many(move |session| lists::keys(session, &scope, &filter, &page)).await
    }

    /// Revokes a key of the account. Returns whether it was not revoked before.
    pub async fn revoke_key(&self, account_id: &str, key_id: &str, now: Timestamp) -> Result<bool> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.change_alone(move |session| keys::revoke(session, &account_id, &key_id, now)).await
    }

    /// Notes when keys were last used; an earlier time than the one that is known changes nothing.
    pub async fn note_key_uses(&self, uses: &[(String, Timestamp)]) -> Result<()> {
        let mut uses = uses.to_vec();
        uses.sort_unstable();
        self.write_alone(move |session| keys::note_uses(session, &uses)).await
    }
}
