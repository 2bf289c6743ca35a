//! The hooks that the suite receives: where it listens, what is answered there, what came.
//!
//! The HTTP server that receives them lives in `runner::receiver`.

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
