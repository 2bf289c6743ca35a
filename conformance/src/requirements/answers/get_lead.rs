//! Answers of `GET /leads/{lead_id}` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.get-lead.schema",
        "get_lead",
        "openapi.yaml, get_lead",
        "A successful answer of get_lead is JSON that keeps the schema Lead.",
    )]
}
