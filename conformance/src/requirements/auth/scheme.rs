//! Authentication schemes: `Bearer` in any letter case, and no other.

use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{Cases, Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::draws::index_of;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.scheme.case-insensitive",
            "The name of the authentication scheme is case-insensitive: bearer and BEARER work like Bearer.",
            &[Standard("RFC 9110", "11.1")],
            scheme_case,
        )
        .drawn("spellings of the scheme", Cases::Exactly(3), |_, draw| {
            json!(["bearer", "BEARER", "bEaReR"][draw.index() % 3])
        }),
        Requirement::new(
            "auth.scheme.others",
            "Authorization with another scheme than Bearer gets 401 missing_credentials.",
            &[
                Part("/x-problem-codes/missing_credentials/status"),
                Sentence("There is no `Authorization: Bearer` header."),
            ],
            other_schemes,
        )
        .drawn("other schemes", Cases::Exactly(5), |_, draw| json!(draw.index())),
    ]
}

async fn scheme_case(context: Context, scheme: Value) -> Verdict {
    let value = format!("{} {{key}}", scheme.as_str().unwrap_or_default());
    let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(vec![value]));
    demand::status(&*context.send(request).await?, 200)
}

async fn other_schemes(context: Context, case: Value) -> Verdict {
    let values = ["Basic dXNlcjpwYXNz", "Token {key}", "Digest username=\"x\"", "{key}", "ApiKey {key}"];
    let value = values[index_of(&case) % values.len()].to_owned();
    let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(vec![value]));
    demand::problem(&*context.send(request.clone()).await?, 401, &["missing_credentials"])?;
    control::keyed(&context, request).await
}
