//! Faults written from the contract alone, before reading the suite.

mod access;
mod articles;
mod hooks;
mod html;
mod jobs;
mod leads;
mod limits;
mod links;
mod lists;
mod pages;
mod polls;
mod problems;
mod publishing;
mod repeats;
mod signatures;
mod slow_writer;
mod validators;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    access::FAULTS,
    articles::FAULTS,
    hooks::FAULTS,
    html::FAULTS,
    jobs::FAULTS,
    leads::FAULTS,
    limits::FAULTS,
    links::FAULTS,
    lists::FAULTS,
    pages::FAULTS,
    polls::FAULTS,
    problems::FAULTS,
    publishing::FAULTS,
    repeats::FAULTS,
    signatures::FAULTS,
    slow_writer::FAULTS,
    validators::FAULTS,
];
