//! TODO leads

mod hooks;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[hooks::FAULTS];
