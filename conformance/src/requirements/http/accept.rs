//! `Accept` has no effect on the API.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Context, Request, Requirement, Verdict, demand};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "http.accept.disregarded",
        "A request with another media type in Accept gets the same response.",
        &[Sentence("The API ignores `Accept`; only the lead form reads it.")],
        accept,
    )]
}

async fn accept(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").header("accept", "application/xml");
    demand::status(&*context.send(request).await?, 200)
}
