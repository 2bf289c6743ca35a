//! Faults in HTTP itself: methods, paths, ids in paths, headers and request ids.

mod afterwards;
mod failures;
mod head;
mod header_block;
mod ids;
mod methods;
mod paths;
mod request_ids;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    afterwards::FAULTS,
    failures::FAULTS,
    head::FAULTS,
    header_block::FAULTS,
    ids::FAULTS,
    methods::FAULTS,
    paths::FAULTS,
    request_ids::FAULTS,
];
