//! `Authorization` with a scheme and no key.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::control;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "auth.header.empty",
        "Bearer without a key gets 401 missing_credentials or invalid_credentials.",
        &[
            Sentence("Every call of the API carries `Authorization: Bearer <platform key>`."),
            Part("/x-problem-codes/missing_credentials/status"),
            Part("/x-problem-codes/invalid_credentials/status"),
        ],
        empty,
    )]
}

async fn empty(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites");
    for value in ["Bearer", "Bearer "] {
        let exchange = context.send(request.clone().by(Credential::Literal(vec![value.to_owned()]))).await?;
        demand::problem(&exchange, 401, &["missing_credentials", "invalid_credentials"])?;
    }
    control::keyed(&context, request).await
}
