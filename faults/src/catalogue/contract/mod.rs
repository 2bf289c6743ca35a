//! Faults in the form of successful responses.

mod accepted;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[accepted::FAULTS];
