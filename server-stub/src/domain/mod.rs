//! What the service is about: records, their states as pure decisions, and the [`store::Store`] that keeps them.
//! Nothing here does I/O; time comes from [`clock::Clock`], randomness from [`randomness::Randomness`].

pub mod account;
pub mod admission;
pub mod article;
pub mod audit;
pub mod backoff;
pub mod clock;
pub mod day;
pub mod delivery;
pub mod duration;
pub mod endpoint_health;
pub mod error_chain;
pub mod event;
pub mod hook;
pub mod id;
pub mod idempotency;
pub mod job;
pub mod key;
pub mod lead;
pub mod page;
pub mod personal;
pub mod post;
pub mod preview;
pub mod public_url;
pub mod randomness;
pub mod retention;
pub mod retry_schedule;
pub mod search;
pub mod sign_in;
pub mod store;
pub mod time_zone;
mod truncated_payload;
pub mod user;
pub mod voice;
pub mod written_article;
