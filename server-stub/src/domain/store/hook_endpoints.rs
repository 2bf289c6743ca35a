//! Webhook endpoints with their health.

use crate::domain::clock::Timestamp;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::hook::{HookEndpoint, HookSecret, UnreadableSecret};

use super::Result;

/// An endpoint with its health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointState<S = Result<HookSecret, UnreadableSecret>> {
    /// The endpoint.
    pub endpoint: HookEndpoint<S>,
    /// `gone` or `failing`, while the endpoint is disabled.
    pub disabled_reason: Option<String>,
    /// Time of the last successful delivery.
    pub last_success_at: Option<Timestamp>,
    /// Time of the last failed attempt.
    pub last_failure_at: Option<Timestamp>,
    /// Failures since its last success.
    pub health: EndpointHealth,
}

impl<S> EndpointState<S> {
    /// Returns the same state with another secret.
    pub fn with_secret<T>(self, secret: T) -> EndpointState<T> {
        let Self { endpoint, disabled_reason, last_success_at, last_failure_at, health } = self;
        let endpoint = endpoint.with_secret(secret);
        EndpointState { endpoint, disabled_reason, last_success_at, last_failure_at, health }
    }
}
