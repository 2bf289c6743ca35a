//! Faults in the bodies of refusals.

mod document;
mod entries;
mod members;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[document::FAULTS, entries::FAULTS, members::FAULTS];
