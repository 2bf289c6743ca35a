//! The public API over real sockets against a real server. Every response is checked against the document.

mod articles;
#[path = "../../../benches/validation/bodies.rs"]
mod bodies;
mod capture;
pub(crate) mod client;
mod conditional;
mod consent;
pub(crate) mod contract;
mod credentials;
mod documentation;
mod double_opt_in;
mod generate;
mod idempotency;
mod isolation;
mod jobs;
mod lists;
mod long_polls;
mod problems;
mod quotas;
mod raw;
mod routes;
mod shared_quotas;
mod texts;
mod validation;
mod violations;
mod world;
