//! Faults in validating the fields of a request.

pub(in crate::catalogue) mod websites;

mod errors;
mod forms;
mod labels;
mod members;
mod numbers;
mod schema;
mod times;
mod topics;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    topics::FAULTS,
    numbers::FAULTS,
    forms::FAULTS,
    labels::FAULTS,
    times::FAULTS,
    members::FAULTS,
    errors::FAULTS,
    websites::FAULTS,
];
