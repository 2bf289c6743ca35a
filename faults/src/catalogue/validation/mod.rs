//! Faults in checking the members of a request.

mod errors;
mod labels;
mod members;
mod numbers;
mod schema;
mod times;
mod topics;
mod websites;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    topics::FAULTS,
    numbers::FAULTS,
    labels::FAULTS,
    times::FAULTS,
    members::FAULTS,
    errors::FAULTS,
    websites::FAULTS,
];
