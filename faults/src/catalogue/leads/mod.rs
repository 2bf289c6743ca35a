//! Faults in leads: storing a form, identifying its sender, and reading leads.

mod answers;
mod bounds;
mod confirmation;
mod emails;
mod encodings;
pub(super) mod form;
mod hooks;
mod intake;
mod kept;
mod multipart;
mod origins;
pub(super) mod persons;
pub(super) mod reading;
pub(super) mod shown;
mod types;
pub(super) mod websites;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[
    answers::FAULTS,
    bounds::FAULTS,
    confirmation::FAULTS,
    emails::FAULTS,
    encodings::FAULTS,
    hooks::FAULTS,
    intake::FAULTS,
    kept::FAULTS,
    origins::FAULTS,
    persons::FAULTS,
    reading::FAULTS,
    types::FAULTS,
    websites::FAULTS,
];
