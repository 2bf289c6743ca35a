//! The statements of both databases. One file for each kind of record or each change to it. Which connection runs them is
//! decided in `sqlite` and `postgres`.

pub(super) mod accounts;
pub(super) mod articles;
pub(super) mod attempts;
pub(super) mod audit;
pub(super) mod claims;
pub(super) mod completion;
pub(super) mod daily_counts;
pub(super) mod deliveries;
pub(super) mod delivery_search;
mod endpoint_record;
pub(super) mod endpoints;
pub(super) mod erasure;
pub(super) mod events;
pub(super) mod idempotency;
pub(super) mod jobs;
pub(super) mod keys;
pub(super) mod late_posts;
pub(super) mod leads;
mod lease_token;
pub(super) mod lists;
pub(super) mod log;
pub(super) mod model_usage;
pub(super) mod overview;
pub(super) mod posts;
pub(super) mod queue_statistics;
pub(super) mod redelivery;
pub(super) mod retention;
pub(super) mod search;
pub(super) mod set_aside;
pub(super) mod settings;
pub(super) mod slots;
pub(super) mod submission;
pub(super) mod takeover;
pub(super) mod targets;
pub(super) mod users;
pub(super) mod voices;
