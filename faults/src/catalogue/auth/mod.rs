//! Faults in checking the platform key: accepted keys, scopes and refusals.

mod challenge;
mod dead_keys;
mod keys;
mod order;
mod refused;
mod restrictions;
mod scheme;
mod scopes;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    dead_keys::FAULTS,
    keys::FAULTS,
    order::FAULTS,
    refused::FAULTS,
    restrictions::FAULTS,
    scheme::FAULTS,
    scopes::FAULTS,
];
