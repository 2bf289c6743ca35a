//! Answers of `get_scheduled_post`.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.get-scheduled-post.schema",
        "get_scheduled_post",
        "openapi.yaml, get_scheduled_post",
        "A successful answer of get_scheduled_post is JSON that keeps the schema ScheduledPost.",
    )]
}
