//! [`HookEndpoints`] on a database.

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::event::Event;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use crate::domain::store::{EndpointState, HookEndpoints, Result};
use crate::storage::backend::{Backend, Hint};
use crate::storage::statements::{endpoints, events};

use super::SqlStore;

#[async_trait]
impl<B: Backend> HookEndpoints for SqlStore<B> {
    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()> {
        let endpoint = endpoint.clone();
        let sealed = self.cipher.seal(&endpoint.id, &endpoint.secret);
        self.write(move |session| endpoints::insert(session, &endpoint, &sealed)).await
    }

    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>> {
        let account_id = account_id.to_owned();
        let sealed = self.backend.read_many(move |session| endpoints::list(session, &account_id)).await?;
        let open = |state: EndpointState<String>| {
            let secret = self.cipher.open(&state.endpoint.id, &state.endpoint.secret);
            state.with_secret(secret)
        };
        Ok(sealed.into_iter().map(open).collect())
    }

    async fn update_hook_endpoint(&self, endpoint: &HookEndpoint<()>) -> Result<bool> {
        let endpoint = endpoint.clone();
        self.write(move |session| endpoints::update(session, &endpoint)).await
    }

    async fn note_secret_revealed(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.write(move |session| endpoints::exists(session, &endpoint_id)).await
    }

    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let sealed = self.cipher.seal(endpoint_id, secret);
        let endpoint_id = endpoint_id.to_owned();
        self.write(move |session| endpoints::rotate(session, &endpoint_id, &sealed, overlap_until, now)).await
    }

    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        let changed = self.write_alone(move |session| endpoints::set_status(session, &endpoint_id, status)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(changed)
    }

    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool> {
        let endpoint_id = endpoint_id.to_owned();
        self.write_alone(move |session| endpoints::remove(session, &endpoint_id)).await
    }

    async fn send_test(&self, endpoint_id: &str, event: &Event, due_at: Timestamp) -> Result<Option<String>> {
        let (endpoint_id, event) = (endpoint_id.to_owned(), event.clone());
        let sent = self.write(move |session| events::insert_test(session, &event, &endpoint_id, due_at)).await?;
        self.backend.hint(Hint::Deliveries);
        Ok(sent)
    }
}
