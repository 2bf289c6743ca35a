//! Calls without a key, HEAD included.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::credentials::challenge;
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

const BEARER: &str = "RFC 6750, section 3; openapi.yaml, x-problem-codes";

const KEYS: &str = "service description, section 5";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.missing.refused",
            "Every call carries Authorization: Bearer <API_KEY>; without it no operation succeeds.",
            KEYS,
            missing,
        )
        .core()
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::must(
            "auth.missing.challenge",
            "Without credentials the answer is 401 missing_credentials with WWW-Authenticate: Bearer.",
            BEARER,
            missing_challenge,
        )
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::must(
            "auth.missing.head",
            "Every call carries Authorization: Bearer <API_KEY>; HEAD without it is answered 401, even right after a call that had it.",
            "service description, section 5; RFC 9110, section 9.3.2; openapi.yaml, info.description",
            head,
        )
        .drawn("every operation that is read", Cases::Listed(|space| read(space).len()), |space, draw: &mut Draw| {
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
    challenge(&exchange, "bearer")?;
    control::keyed(&context, request).await
}

async fn head(context: Context, case: Value) -> Verdict {
    let read = context.send(operations::made_up(operations::of_case(&context, &case)?)).await?;
    let head = Request::outside("HEAD", &read.request.path).by(Credential::None);
    demand::status(&*context.send(head).await?, 401)?;
    control::keyed(&context, operations::made_up(operations::of_case(&context, &case)?)).await
}
