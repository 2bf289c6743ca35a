//! Faults in the states of jobs, pipeline entries and articles.

pub(in crate::catalogue) mod cancel;
pub(in crate::catalogue) mod conditional;
pub(in crate::catalogue) mod publishing;
pub(in crate::catalogue) mod records;
pub(in crate::catalogue) mod validators;
pub(in crate::catalogue) mod waiting;

mod articles;
mod entries;
mod jobs;
mod polls;
mod reads;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    articles::FAULTS,
    cancel::FAULTS,
    entries::FAULTS,
    jobs::FAULTS,
    polls::FAULTS,
    publishing::FAULTS,
    reads::FAULTS,
    validators::FAULTS,
];
