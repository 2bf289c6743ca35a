//! An endpoint as its owner sees it, and what a request to send again comes to. Claiming deliveries is in `outgoing`.

use crate::domain::clock::Timestamp;
use crate::domain::endpoint_health::EndpointHealth;
use crate::domain::event::EventType;
use crate::domain::hook::{EndpointStatus, HookSecret};

/// An endpoint with how it fares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointState<S = HookSecret> {
    /// `hook_…`.
    pub id: String,
    /// The owner.
    pub account_id: String,
    /// Where to send.
    pub url: String,
    /// What to send.
    pub events: Vec<EventType>,
    /// Only of this website; `None` means all.
    pub website_id: Option<String>,
    /// For people.
    pub description: Option<String>,
    /// Signs its deliveries.
    pub secret: S,
    /// Whether it gets deliveries.
    pub status: EndpointStatus,
    /// Whether `article.published` carries the article's text.
    pub include_content: bool,
    /// When it was made.
    pub created_at: Timestamp,
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
        EndpointState {
            id: self.id,
            account_id: self.account_id,
            url: self.url,
            events: self.events,
            website_id: self.website_id,
            description: self.description,
            secret,
            status: self.status,
            include_content: self.include_content,
            created_at: self.created_at,
            disabled_reason: self.disabled_reason,
            last_success_at: self.last_success_at,
            last_failure_at: self.last_failure_at,
            health: self.health,
        }
    }
}

/// What came of asking to send a delivery again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redelivery {
    /// It is due now.
    Queued,
    /// It is being sent, or will be at once.
    InFlight,
    /// Its endpoint is paused or disabled.
    EndpointNotActive,
    /// There is no such delivery.
    NotFound,
}
