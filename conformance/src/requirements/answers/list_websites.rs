//! Answers of `GET /websites` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.list-websites.schema",
        "list_websites",
        "openapi.yaml, list_websites",
        "A successful answer of list_websites is JSON that keeps the schema WebsitePage.",
    )]
}
