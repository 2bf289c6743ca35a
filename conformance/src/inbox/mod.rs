//! The webhooks that the suite receives: endpoints, scripted responses, arrivals.

mod endpoints;
mod latency;
mod log;
mod request;

pub use endpoints::{Endpoint, Endpoints, HookAbility, HookRegistrar, Registration};
pub use latency::HookLatency;
pub use log::{HookLog, redirection};
pub(crate) use request::header_bytes;
pub use request::{HookAnswer, HookRequest};
