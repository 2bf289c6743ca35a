//! What goes wrong below HTTP's meaning: bodies that break off, messages that are none, connections that end.
//!
//! No requirement is about these; whoever calls such a server meets them all the same.

mod bodies;
mod connections;
mod wire;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[bodies::FAULTS, connections::FAULTS, wire::FAULTS];
