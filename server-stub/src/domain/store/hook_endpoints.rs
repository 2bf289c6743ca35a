//! Hook endpoints as their owner manages them. Sending to them is in `delivery_queue`.

use std::fmt;

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::event::Event;
use crate::domain::hook::{EndpointStatus, HookEndpoint, HookSecret, UnreadableSecret};

use super::Result;

/// Hook endpoints.
#[async_trait]
pub trait HookEndpoints: Send + Sync + fmt::Debug {
    /// Stores an endpoint; at most 10 per account.
    async fn create_hook_endpoint(&self, endpoint: &HookEndpoint) -> Result<()>;
    /// The endpoints of an account, oldest first.
    async fn list_hook_endpoints(&self, account_id: &str) -> Result<Vec<EndpointState>>;
    /// Stores what its owner sets of an endpoint: URL, events, website, description, content. Returns whether the account has
    /// it.
    async fn update_hook_endpoint(&self, endpoint: &HookEndpoint<()>) -> Result<bool>;
    /// Returns whether there is such an endpoint, and changes nothing: the entry of the audit trail that is stored with it
    /// says that its secret was shown.
    async fn note_secret_revealed(&self, endpoint_id: &str) -> Result<bool>;
    /// Signs with `secret` from now on, until `overlap_until` with the former ones (at most two) too. Returns whether there is
    /// such an endpoint.
    async fn rotate_hook_secret(
        &self,
        endpoint_id: &str,
        secret: &HookSecret,
        overlap_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool>;
    /// Pauses, resumes or disables an endpoint; its health is reset. Returns whether there is one.
    async fn set_hook_status(&self, endpoint_id: &str, status: EndpointStatus) -> Result<bool>;
    /// Removes an endpoint with its deliveries. Returns whether there was one.
    async fn remove_hook_endpoint(&self, endpoint_id: &str) -> Result<bool>;
    /// Stores a test event with one delivery to that endpoint, and returns its id; `None` when there is no such endpoint.
    async fn send_test(&self, endpoint_id: &str, event: &Event, due_at: Timestamp) -> Result<Option<String>>;
}

/// An endpoint with its health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointState<S = Result<HookSecret, UnreadableSecret>> {
    /// The endpoint.
    pub endpoint: HookEndpoint<S>,
    /// `gone` or `failing`, while it is disabled.
    pub disabled_reason: Option<String>,
    /// When a delivery last succeeded.
    pub last_success_at: Option<Timestamp>,
    /// When an attempt last failed.
    pub last_failure_at: Option<Timestamp>,
    /// What is known since its last success.
    pub health: EndpointHealth,
}

impl<S> EndpointState<S> {
    /// The same with another secret.
    pub fn with_secret<T>(self, secret: T) -> EndpointState<T> {
        let Self { endpoint, disabled_reason, last_success_at, last_failure_at, health } = self;
        let endpoint = endpoint.with_secret(secret);
        EndpointState { endpoint, disabled_reason, last_success_at, last_failure_at, health }
    }
}
