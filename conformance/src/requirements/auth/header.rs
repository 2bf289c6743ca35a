//! The header `Authorization` given twice, or empty.

use serde_json::Value;

use crate::check::{Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::control;

const BEARER: &str = "RFC 6750, section 3; openapi.yaml, x-problem-codes";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "auth.header.doubled-or-empty",
        "An Authorization header with Bearer and no key, and two Authorization headers, are answered 401 invalid_credentials.",
        BEARER,
        doubled,
    )]
}

async fn doubled(context: Context, _: Value) -> Verdict {
    let right = "Bearer {key}".to_owned();
    for values in [vec!["Bearer".to_owned()], vec!["Bearer ".to_owned()], vec![right.clone(), right]] {
        let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(values));
        demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])?;
    }
    control::keyed(&context, Request::new("list_websites", "GET", "/websites")).await
}
