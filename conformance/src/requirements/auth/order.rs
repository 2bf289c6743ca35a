//! Credentials are checked before what a request says.

use serde_json::Value;

use crate::check::{Context, Credential, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::control;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "auth.order.first",
        "Credentials are checked before the body: a wrong key with a broken body is answered 401.",
        "openapi.yaml, info.description",
        before_body,
    )]
}

async fn before_body(context: Context, _: Value) -> Verdict {
    let mut request = steps::generate(&Value::Null).by(Credential::Literal(vec!["Bearer wrong".to_owned()]));
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])?;
    control::ordered(&context).await
}
