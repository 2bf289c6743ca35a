//! The contract that this suite judges by: the document, its requirements, and how a target of this service is met.
//!
//! How targets are judged by any contract is `runner`'s.

mod costs;
mod coverage;
mod preflight;
mod service;

pub use service::ContentGeneration;
