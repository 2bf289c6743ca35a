//! Servers that are correct and different: every requirement of their profile must let them pass.

mod core;
mod failing_jobs;
mod fields;
mod ids;
mod pages;
mod refusals;
mod tags;
mod timing;
mod writing;

use super::fault::Fault;

/// The variants.
pub(super) const FAULTS: &[&[Fault]] = &[
    ids::FAULTS,
    writing::FAULTS,
    fields::FAULTS,
    timing::FAULTS,
    failing_jobs::FAULTS,
    tags::FAULTS,
    pages::FAULTS,
    refusals::FAULTS,
    core::FAULTS,
];
