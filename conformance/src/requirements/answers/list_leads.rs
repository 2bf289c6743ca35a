//! Answers of `GET /leads` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.list-leads.schema",
        "list_leads",
        "openapi.yaml, list_leads",
        "A successful answer of list_leads is JSON that keeps the schema LeadPage.",
    )]
}
