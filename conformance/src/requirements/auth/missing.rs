//! Requests without a key, including HEAD.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{Cases, Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::credentials::challenge;
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.missing.refused",
            "Every request has Authorization: Bearer <key>. Without it no operation succeeds.",
            &[Fact("5"), Sentence("Every call of the API carries `Authorization: Bearer <platform key>`.")],
            missing,
        )
        .core()
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.missing.challenge",
            "Without Authorization the response is 401 missing_credentials with WWW-Authenticate: Bearer.",
            &[
                Part("/x-problem-codes/missing_credentials/status"),
                Sentence("There is no `Authorization: Bearer` header."),
                Standard("RFC 6750", "3"),
            ],
            missing_challenge,
        )
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.missing.head",
            "HEAD without a key gets 401, even right after a GET of the same path with the key.",
            &[
                Sentence(
                    "Every GET resource also answers HEAD, with the same status, `Content-Type`, `ETag` and `Cache-Control`.",
                ),
                Sentence("Every call of the API carries `Authorization: Bearer <platform key>`."),
                Part("/x-problem-codes/missing_credentials/status"),
                Standard("RFC 9110", "9.3.2"),
            ],
            head,
        )
        .drawn("every GET operation", Cases::Listed(|space| read(space).len()), |space, draw: &mut Draw| {
            let all = read(space);
            json!(all[draw.index() % all.len()])
        }),
    ]
}

fn read(space: &Space) -> Vec<&'static str> {
    operations::named(space, |operation| operation.method == "GET")
}

async fn missing(context: Context, case: Value) -> Verdict {
    let request = operations::with_website(&context, operations::of_case(&context, &case)?);
    demand::refusal(&*context.send(request.clone().by(Credential::None)).await?)?;
    control::keyed(&context, request).await
}

async fn missing_challenge(context: Context, case: Value) -> Verdict {
    let request = operations::with_website(&context, operations::of_case(&context, &case)?);
    let exchange = context.send(request.clone().by(Credential::None)).await?;
    demand::problem(&exchange, 401, &["missing_credentials"])?;
    challenge(&exchange)?;
    control::keyed(&context, request).await
}

async fn head(context: Context, case: Value) -> Verdict {
    let read = context.send(operations::made_up(operations::of_case(&context, &case)?)).await?;
    let head = Request::outside("HEAD", &read.request.path).by(Credential::None);
    demand::status(&*context.send(head).await?, 401)?;
    control::keyed(&context, operations::made_up(operations::of_case(&context, &case)?)).await
}
