//! Accounts: what belongs to one does not exist for another.

mod hooks;
mod lists;
mod records;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[hooks::FAULTS, lists::FAULTS, records::FAULTS];
