//! What is claimed to be published or sent, how that ends, and what a capture comes to. The job queue is in `queueing`.

use std::collections::HashMap;

use bytes::Bytes;

use crate::domain::account::Website;
use crate::domain::clock::Timestamp;
use crate::domain::delivery::AttemptKind;
use crate::domain::event::Event;
use crate::domain::hook::{Attempt, AttemptDecision, HookSecret};
use crate::domain::job::Failure;
use crate::domain::post::ScheduledPost;
use crate::domain::publication::Article;

/// A pipeline entry as the scheduler took it.
#[derive(Debug, Clone)]
pub struct ClaimedPost {
    /// The entry, `publishing`, this attempt counted.
    pub post: ScheduledPost,
    /// Whoever has an older one can no longer record how publishing went.
    pub lease_token: String,
    /// The article to publish.
    pub article: Article,
    /// Where to.
    pub website: Website,
}

/// How a claimed post ends.
#[derive(Debug, Clone)]
pub enum PublishOutcome {
    /// The article is out: stored with its post and its event in one transaction.
    Published {
        /// The article, `published`.
        article: Box<Article>,
        /// What is announced.
        event: Event,
    },
    /// Back to `scheduled`; tried again then.
    RetryAt(Timestamp),
    /// Not to be published.
    Failed(Failure),
}

/// What a capture came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// A new lead, stored with its event.
    New,
    /// The same person, form and website within ten minutes: the first one stands.
    Duplicate,
}

/// How many deliveries each endpoint may have in flight.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointCapacity {
    /// To every endpoint at a time.
    pub per_endpoint: u32,
    /// Endpoints that may get fewer now, with how many more; 0 skips one.
    pub fewer: HashMap<String, u32>,
}

impl EndpointCapacity {
    /// The same number for every endpoint.
    pub fn at_most(per_endpoint: u32) -> Self {
        Self { per_endpoint, fewer: HashMap::new() }
    }

    /// How many more may be sent to the endpoint while `in_flight` are.
    pub fn free(&self, endpoint_id: &str, in_flight: u32) -> u32 {
        let free = self.per_endpoint.saturating_sub(in_flight);
        self.fewer.get(endpoint_id).map_or(free, |fewer| free.min(*fewer))
    }
}

/// A delivery as the dispatcher took it.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// `dlv_…`.
    pub id: String,
    /// Whoever has an older one can no longer record the attempt.
    pub lease_token: String,
    /// Attempt number in the schedule, 1-based, this one counted.
    pub number: u32,
    /// Why it is sent.
    pub kind: AttemptKind,
    /// The `webhook-id`.
    pub event_id: String,
    /// The endpoint.
    pub endpoint_id: String,
    /// Where to send.
    pub url: String,
    /// Signs the body; newest first.
    pub secrets: Vec<HookSecret>,
    /// The exact bytes to send.
    pub body: Bytes,
}

/// An attempt with what it was an attempt at, and what follows.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// As it was taken.
    pub delivery: ClaimedDelivery,
    /// What was seen.
    pub attempt: Attempt,
    /// What follows.
    pub decision: AttemptDecision,
    /// When that was decided.
    pub decided_at: Timestamp,
}
