//! The catalogue: every requirement with its clause, its level, its needs and its check.
//!
//! Sending and counting do not live here: checks reach the target through a [`Channel`].

mod articles;
mod articles_text;
mod auth;
mod capability;
mod catalogue;
mod channel;
mod context;
mod demand;
mod exchange;
mod facts;
mod generate;
mod generate_invalid;
mod generate_json;
mod hook_log;
mod hooks;
mod hooks_delivery;
mod hooks_signature;
mod html;
mod http_methods;
mod http_raw;
mod idempotency;
mod isolation;
mod jobs;
mod jobs_cancel;
mod leads;
mod limits;
mod observed;
mod observed_answers;
mod pages;
mod pages_parameters;
mod pages_tokens;
mod pipeline;
mod requirement;
mod sequences;
mod steps;
mod steps_lists;
mod verdict;
mod voice;

pub use capability::Capability;
pub use catalogue::catalogue;
pub use channel::{Channel, TransportFault};
pub use context::{Context, Tap};
pub use exchange::{Credential, Exchange, Request};
pub use facts::{ArticleIdSource, Capture, Facts, Secrets};
pub use hook_log::{HookLog, HookRequest};
pub use requirement::{Cases, Level, Observe, Pace, Requirement};
pub(crate) use steps::clean_up;
pub use verdict::{Finding, Halt, Verdict, ensure};
