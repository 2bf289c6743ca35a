//! Answers of the lead form to programs.

use crate::check::{Capability, Requirement};
use crate::steps::observing::keeps_schema;

const FORM: &[Capability] = &[Capability::LEAD_FORM];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_schema(
            "answers.capture-lead.schema",
            "capture_lead",
            "openapi.yaml, capture_lead",
            "A successful answer of capture_lead is JSON that keeps the schema LeadAccepted.",
        )
        .needs(FORM),
    ]
}
