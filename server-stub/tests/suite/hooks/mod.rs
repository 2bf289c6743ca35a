//! Webhooks: allowed addresses, their content, and delivery to a receiver on a real socket.

mod address;
mod bodies;
mod delivery;
mod draining;
pub(crate) mod harness;
pub(crate) mod receiver;
mod resolution;
mod responses;
mod secrets;
