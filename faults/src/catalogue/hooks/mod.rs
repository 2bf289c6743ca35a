//! Faults in what is sent to receivers.

mod payload;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[payload::FAULTS];
