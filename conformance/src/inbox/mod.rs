//! The webhooks that the suite receives: endpoints, scripted responses, arrivals.
//!
//! `runner::receiver` contains the HTTP server.

mod answer;
mod endpoints;
mod latency;
mod log;
mod registrar;
mod request;

pub use answer::HookAnswer;
pub use endpoints::{Endpoint, Endpoints};
pub use latency::HookLatency;
pub use log::{HookLog, redirection};
pub use registrar::{HookAbility, HookRegistrar, Registration};
pub use request::HookRequest;
pub(crate) use request::header_bytes;
