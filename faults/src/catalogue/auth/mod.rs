//! The platform key: which are accepted, for what, and how the others are refused.

mod challenge;
mod keys;
mod order;
mod refused;
mod scheme;
mod scopes;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[keys::FAULTS, order::FAULTS, refused::FAULTS, scheme::FAULTS, scopes::FAULTS];
