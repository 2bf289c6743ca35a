//! [`HookEndpoints`] on a database.

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use crate::domain::store::{EndpointState, Result};
use crate::storage::hint::Hint;
use crate::storage::statements::{endpoints, events};

use super::store::Store;

impl Store {
    /// Stores an endpoint; at most 10 per account.
    pub async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        let endpoint = endpoint.clone();
        let sealed = self.cipher.seal(&endpoint.id, &endpoint.secret);
        self.change(move |session| endpoints::insert(session, &endpoint, &sealed)).await
    }

    /// The endpoints of an account, oldest first.
    pub async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        let account_id = account_id.to_owned();
        let sealed = self.read_many(move |session| endpoints::list(session, &account_id)).await?;
        let open = |state: EndpointState<String>| {
            let secret = self.cipher.open(&state.endpoint.id, &state.endpoint.secret);
            state.with_secret(secret)
        };
        Ok(sealed.into_iter().map(open).collect())
    }

    /// Stores what its owner sets of an endpoint: URL, events, website, description, content. Returns whether the account has
    /// it.
    pub async fn update_hook_endpoint(&self, endpoint: &HookEndpoint<()>) -> Result<bool> {
        let endpoint = endpoint.clone();
        self.change(move |session| endpoints::update(session, &endpoint)).await
    }

    /// Returns whether there is such an endpoint, and changes nothing: the entry of the audit trail that is stored with it
    /// says that its secret was shown.
    pub async fn note_secret_revealed(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.change(move |session| endpoints::exists(session, &endpoint_id)).await
    }

    /// Signs with `secret` from now on, until `overlap_until` with the former ones (at most two) too. Returns whether there is
    /// such an endpoint.
    pub async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let sealed = self.cipher.seal(endpoint_id, secret);
        let endpoint_id = endpoint_id.to_owned();
        self.change(move |session| endpoints::rotate(session, &endpoint_id, &sealed, overlap_until, now)).await
    }

    /// Pauses, resumes or disables an endpoint; its health is reset. Returns whether there is one.
    pub async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        let changed = self.change_alone(move |session| endpoints::set_status(session, &endpoint_id, status)).await?;
        self.hint(Hint::Deliveries);
        Ok(changed)
    }

    /// Removes an endpoint with its deliveries. Returns whether there was one.
    pub async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.change_alone(move |session| endpoints::remove(session, &endpoint_id)).await
    }

    /// Stores a test event with one delivery to that endpoint, and returns its id; `None` when there is no such endpoint.
    pub async fn send_test(&self, endpoint_id: &str, event: &Event, due_at: Timestamp) -> Result<Option<String>> {
        let (endpoint_id, event) = (endpoint_id.to_owned(), event.clone());
        let sent = self.change(move |session| events::insert_test(session, &event, &endpoint_id, due_at)).await?;
        self.hint(Hint::Deliveries);
        Ok(sent)
    }
}
