//! Faults in `Idempotency-Key`.

mod at_once;
pub(super) mod bodies;
mod form;
pub(super) mod key;
mod refusals;
mod replays;
pub(super) mod under_way;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] =
    &[at_once::FAULTS, bodies::FAULTS, form::FAULTS, refusals::FAULTS, replays::FAULTS];
