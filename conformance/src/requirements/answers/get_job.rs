//! Answers of `GET /jobs/{job_id}` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.get-job.schema",
        "get_job",
        "openapi.yaml, get_job",
        "A successful answer of get_job is JSON that keeps the schema Job.",
    )]
}
