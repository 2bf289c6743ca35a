//! Faults in the isolation of accounts. The records of one account do not exist for another.

mod hooks;
mod lead_hooks;
mod lists;
mod records;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[hooks::FAULTS, lead_hooks::FAULTS, lists::FAULTS, records::FAULTS];
