//! Answers of `POST /generate` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_schema(
            "answers.generate.schema",
            "generate",
            "openapi.yaml, generate",
            "A successful answer of generate is JSON that keeps the schema QueuedJob.",
        )
        .core(),
    ]
}
