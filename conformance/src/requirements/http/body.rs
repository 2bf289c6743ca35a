//! Bodies where none belongs.

use serde_json::Value;

use crate::check::{Context, Request, Requirement, Verdict, demand};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "http.body.ignored-on-get",
        "A small body of a GET request is ignored.",
        "RFC 9110, section 9.3.1",
        body_on_get,
    )]
}

async fn body_on_get(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites").bytes("application/json", b"{\"a\":1".to_vec());
    demand::status(&*context.send(request).await?, 200)
}
