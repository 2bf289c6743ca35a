//! Faults in the form of successful responses.

mod accepted;
mod kept;
mod lists;
mod records;
mod times;
pub(super) mod valid;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[accepted::FAULTS, kept::FAULTS, lists::FAULTS, records::FAULTS, times::FAULTS];
