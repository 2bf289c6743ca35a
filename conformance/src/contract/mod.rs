//! The contract of this suite: the document, its requirements, and the preflight for targets of this service.
//!
//! `runner` checks targets against any contract.

mod clauses;
mod measured;
mod preflight;
mod service;

pub use clauses::{Clauses, Invariant, Untested};
pub use service::ContentGeneration;
