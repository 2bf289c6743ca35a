//! Faults in the content of an article.

mod agreement;
mod counts;
mod extremes;
mod html;
mod markdown;
mod records;
mod report;
mod structured;
mod topic;
mod writer;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    agreement::FAULTS,
    counts::FAULTS,
    extremes::FAULTS,
    html::FAULTS,
    markdown::FAULTS,
    report::FAULTS,
    structured::FAULTS,
    topic::FAULTS,
    writer::FAULTS,
];
