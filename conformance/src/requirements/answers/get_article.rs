//! Answers of `GET /articles/{id}` keep their schema.

use crate::check::Requirement;
use crate::steps::observing::keeps_schema;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_schema(
            "answers.get-article.schema",
            "get_article",
            "openapi.yaml, get_article",
            "A successful answer of get_article is JSON that keeps the schema Article.",
        )
        .core(),
    ]
}
