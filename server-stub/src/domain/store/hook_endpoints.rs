//! Hook endpoints with their health.

use crate::domain::clock::Timestamp;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::hook::{HookEndpoint, HookSecret, UnreadableSecret};

use super::Result;

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
