//! Faults below HTTP's meaning: truncated bodies, invalid messages, closed connections.
//!
//! No requirement covers these, but every client of such a server can encounter them.

mod bodies;
mod connections;
mod wire;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[bodies::FAULTS, connections::FAULTS, wire::FAULTS];
