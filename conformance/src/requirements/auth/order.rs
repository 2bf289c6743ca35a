//! Credentials are checked before the body.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Context, Credential, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "auth.order.first",
        "Credentials are checked before the body: a wrong key with a broken body gets 401 invalid_credentials.",
        &[
            Sentence(
                "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, \
                 validation, access to the website, state of the website, queue.",
            ),
            Part("/x-problem-codes/invalid_credentials/status"),
        ],
        before_body,
    )]
}

async fn before_body(context: Context, _: Value) -> Verdict {
    let mut request = steps::generate(&Value::Null).by(Credential::Literal(vec!["Bearer wrong".to_owned()]));
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])?;
    control::ordered(&context).await
}
