//! Paths that the API does not have.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::lists::ARTICLES;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("http.route.unknown", "A path that does not exist is answered 404 route_not_found, also with a trailing slash, in another case, or of another version.", "openapi.yaml, x-problem-codes", unknown)
            .drawn("misspelt paths", Cases::Exactly(12), |_, draw| json!(draw.index())),
    ]
}

async fn unknown(context: Context, case: Value) -> Verdict {
    let paths = [
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/generate/",
        "/api/v1/Generate",
        "/api/v1/articles/",
        "/api/v1/articles/art_x/more",
        "/api/v1/jobs/",
        "/api/v1/jobs/job_x/cancel/",
        "/api/v2/articles",
        "/api/v1/scheduled-posts",
        "/API/V1/articles",
        "/api/v1//articles",
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % paths.len();
    let exchange = context.send(Request::outside("GET", paths[index])).await?;
    demand::problem(&exchange, 404, &["route_not_found"])?;
    control::listed(&context, ARTICLES).await
}
