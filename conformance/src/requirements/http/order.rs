//! Route and method are checked first.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::lists::ARTICLES;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "http.order.route-first",
        "Route and method are checked before the credentials.",
        &[Sentence(
            "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, validation, access to the website, state of the website, queue.",
        )],
        route_first,
    )]
}

async fn route_first(context: Context, _: Value) -> Verdict {
    let unknown = Request::outside("GET", "/api/v1/nothing").by(Credential::None);
    demand::problem(&*context.send(unknown).await?, 404, &["route_not_found"])?;
    let method = Request::outside("DELETE", "/api/v1/articles").by(Credential::None);
    demand::problem(&*context.send(method).await?, 405, &["method_not_allowed"])?;
    control::listed(&context, ARTICLES).await
}
