//! Faults in quotas: counting, headers and enforcement.

mod counting;
pub(super) mod purse;
mod refusals;
mod telling;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[counting::FAULTS, refusals::FAULTS, telling::FAULTS];
