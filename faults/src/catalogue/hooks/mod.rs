//! Faults in webhooks.

mod attempts;
mod endpoints;
mod events;
mod failures;
mod payload;
pub(super) mod payload_article;
mod requests;
mod side_doors;
mod signature;
mod timing;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    attempts::FAULTS,
    endpoints::FAULTS,
    events::FAULTS,
    failures::FAULTS,
    payload::FAULTS,
    payload_article::FAULTS,
    requests::FAULTS,
    side_doors::FAULTS,
    signature::FAULTS,
    timing::FAULTS,
];
