//! Answers of `POST /jobs/{job_id}/cancel` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.cancel-job.schema",
        "cancel_job",
        "openapi.yaml, cancel_job",
        "A successful answer of cancel_job is JSON that keeps the schema Job.",
    )]
}
