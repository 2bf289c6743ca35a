//! Accounts: what belongs to one does not exist for another.

mod lists;
mod records;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[records::FAULTS, lists::FAULTS];
