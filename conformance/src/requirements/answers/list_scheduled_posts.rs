//! Answers of `GET /scheduled_posts` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.list-scheduled-posts.schema",
        "list_scheduled_posts",
        "openapi.yaml, list_scheduled_posts",
        "A successful answer of list_scheduled_posts is JSON that keeps the schema ScheduledPostPage.",
    )]
}
