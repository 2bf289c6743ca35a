//! Faults in lists: limits, pagination, page tokens, Link and filters.

pub(super) mod pages;
pub(super) mod parameters;

mod filters;
mod limits;
mod links;
mod spelling;
mod times;
mod tokens;
mod values;
mod walks;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    filters::FAULTS,
    limits::FAULTS,
    links::FAULTS,
    spelling::FAULTS,
    times::FAULTS,
    tokens::FAULTS,
    values::FAULTS,
    walks::FAULTS,
];
