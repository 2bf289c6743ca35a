//! Hooks: which addresses they may go to, what stands in them, and how they reach a receiver on a real socket.

mod address;
mod answers;
mod bodies;
mod delivery;
pub(crate) mod receiver;
mod resolution;
mod station;
