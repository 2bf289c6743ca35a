//! [`Accounts`] on a database.

use std::time::Duration;

use async_trait::async_trait;

use crate::domain::account::{Account, Scope, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::lead_form::LeadForm;
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::store::{Accounts, KeyFilter, PageRequest, Result, WebsiteFilter};
use crate::storage::backend::Backend;
use crate::storage::sql::Session;
use crate::storage::statements::{accounts, keys, lists};

use super::SqlStore;

#[async_trait]
impl<B: Backend> Accounts for SqlStore<B> {
    async fn create_account(&self, account: &Account) -> Result<()> {
        let account = account.clone();
        self.write(move |session| accounts::insert_account(session, &account)).await
    }

    async fn find_account(&self, name_or_id: &str) -> Result<Option<Account>> {
        let name_or_id = name_or_id.to_owned();
        self.backend.read_few(move |session| accounts::find_account(session, &name_or_id)).await
    }

    async fn rename_account(&self, account_id: &str, name: &str) -> Result<bool> {
        let (account_id, name) = (account_id.to_owned(), name.to_owned());
        self.write_alone(move |session| accounts::rename_account(session, &account_id, &name)).await
    }

    async fn create_website(&self, website: &Website) -> Result<()> {
        let website = website.clone();
        self.write(move |session| accounts::insert_website(session, &website)).await
    }

    async fn update_website(&self, website: &Website) -> Result<bool> {
        let website = website.clone();
        self.write_alone(move |session| accounts::update_website(session, &website)).await
    }

    async fn set_website_status(&self, website_id: &str, status: WebsiteStatus, now: Timestamp) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.write_alone(move |session| accounts::set_website_status(session, &website_id, status, now)).await
    }

    async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        let website_id = website_id.to_owned();
        self.backend.read_few(move |session| accounts::find_website(session, &website_id)).await
    }

    async fn list_websites(&self, scope: &Scope, filter: &WebsiteFilter, page: &PageRequest) -> Result<Vec<Website>> {
        let (scope, filter, page) = (scope.clone(), filter.clone(), page.clone());
        let is_short = lists::is_short(&scope, &filter, &page);
        self.backend.read_page(is_short, move |session| lists::websites(session, &scope, &filter, &page)).await
    }

    async fn set_publishing_slots(&self, website_id: &str, slots: &PublishingSlots, now: Timestamp) -> Result<bool> {
        let (website_id, slots) = (website_id.to_owned(), slots.clone());
        self.write_alone(move |session| accounts::set_publishing_slots(session, &website_id, &slots, now)).await
    }

    async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.write(move |session| accounts::set_lead_retention(session, &website_id, retention)).await
    }

    async fn set_lead_form(&self, website_id: &str, form: &LeadForm, now: Timestamp) -> Result<bool> {
        let (website_id, form) = (website_id.to_owned(), form.clone());
        self.write_alone(move |session| accounts::set_lead_form(session, &website_id, &form, now)).await
    }

    async fn is_former_consent_text(&self, website_id: &str, text: &str, since: Timestamp) -> Result<bool> {
        let (website_id, text) = (website_id.to_owned(), text.to_owned());
        let read =
            move |session: &mut dyn Session| accounts::is_former_consent_text(session, &website_id, &text, since);
        self.backend.read_few(read).await
    }

    async fn create_key(&self, key: &ApiKey) -> Result<()> {
        let key = key.clone();
        self.write(move |session| keys::insert(session, &key)).await
    }

    async fn find_key(&self, hash: SecretHash) -> Result<Option<ApiKey>> {
        self.backend.find_key(hash).await
    }

    async fn find_key_by_id(&self, account_id: &str, key_id: &str) -> Result<Option<ApiKey>> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.backend.read_few(move |session| keys::find_by_id(session, &account_id, &key_id)).await
    }

    async fn list_keys(&self, account_id: &str, filter: &KeyFilter, page: &PageRequest) -> Result<Vec<ApiKey>> {
        let scope = Scope { account_id: account_id.to_owned(), website_ids: None };
        let (filter, page) = (filter.clone(), page.clone());
        self.backend.read_many(move |session| lists::keys(session, &scope, &filter, &page)).await
    }

    async fn revoke_key(&self, account_id: &str, key_id: &str, now: Timestamp) -> Result<bool> {
        let (account_id, key_id) = (account_id.to_owned(), key_id.to_owned());
        self.write_alone(move |session| keys::revoke(session, &account_id, &key_id, now)).await
    }

    async fn note_key_uses(&self, uses: &[(String, Timestamp)]) -> Result<()> {
        let mut uses = uses.to_vec();
        uses.sort_unstable();
        self.backend.write_alone(move |session| keys::note_uses(session, &uses)).await
    }
}
