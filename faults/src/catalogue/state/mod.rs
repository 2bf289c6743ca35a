//! Faults in the states of jobs, scheduled posts and articles.

pub(in crate::catalogue) mod cancel;
pub(in crate::catalogue) mod conditional;
pub(in crate::catalogue) mod publishing;
pub(in crate::catalogue) mod records;
pub(in crate::catalogue) mod validators;
pub(in crate::catalogue) mod waiting;

mod agreement;
mod articles;
mod entries;
mod failures;
mod jobs;
mod pauses;
mod polls;
mod reads;
mod scheduled_post;
mod writer;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    agreement::FAULTS,
    articles::FAULTS,
    cancel::FAULTS,
    entries::FAULTS,
    failures::FAULTS,
    jobs::FAULTS,
    pauses::FAULTS,
    polls::FAULTS,
    publishing::FAULTS,
    reads::FAULTS,
    scheduled_post::FAULTS,
    validators::FAULTS,
    writer::FAULTS,
];
