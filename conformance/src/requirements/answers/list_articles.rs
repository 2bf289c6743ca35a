//! Answers of `GET /articles` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![keeps_schema(
        "answers.list-articles.schema",
        "list_articles",
        "openapi.yaml, list_articles",
        "A successful answer of list_articles is JSON that keeps the schema ArticlePage.",
    )]
}
