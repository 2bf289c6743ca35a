//! The header `Accept`.

use serde_json::Value;

use crate::check::{Context, Request, Requirement, Verdict, demand};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "http.accept.disregarded",
        "A request with another media type in Accept is answered all the same: no operation documents 406.",
        "RFC 9110, section 12.5.1; openapi.yaml, responses",
        accept,
    )]
}

async fn accept(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").header("accept", "application/xml");
    demand::status(&*context.send(request).await?, 200)
}
