//! Faults in what is sent to receivers.

mod attempts;
mod endpoints;
mod events;
mod payload;
pub(super) mod payload_article;
mod requests;
mod signature;
mod timing;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    attempts::FAULTS,
    endpoints::FAULTS,
    events::FAULTS,
    payload::FAULTS,
    payload_article::FAULTS,
    requests::FAULTS,
    signature::FAULTS,
    timing::FAULTS,
];
