//! Unknown paths.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::lists::ARTICLES;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "http.route.unknown",
            "The response to an unknown path is 404 route_not_found, also if only a trailing slash or the letter case makes it unknown.",
            &[
                Sentence("A path with a trailing slash or in another letter case is an unknown route."),
                Sentence("There is no such path or, below `/capture/`, no such website or confirmation link."),
                Part("/x-problem-codes/route_not_found/status"),
            ],
            unknown,
        )
        .drawn("misspelt paths", Cases::Exactly(11), |_, draw| json!(draw.index())),
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
        "/api/v0/articles",
        "/api/v1/scheduled-posts",
        "/API/V1/articles",
    ];
    let index = usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0) % paths.len();
    let exchange = context.send(Request::outside("GET", paths[index])).await?;
    demand::problem(&exchange, 404, &["route_not_found"])?;
    control::listed(&context, ARTICLES).await
}
