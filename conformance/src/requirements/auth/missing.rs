//! Calls without a key, HEAD included.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::credentials::{challenge, operation, with_website};

const BEARER: &str = "RFC 6750, section 3; openapi.yaml, x-problem-codes";

const KEYS: &str = "service description, section 5";

/// The operations that are read with GET, by their place in `auth`.
const READ: [usize; 7] = [1, 2, 3, 4, 5, 7, 8];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.missing.refused",
            "Every call carries Authorization: Bearer <API_KEY>; without it no operation succeeds.",
            KEYS,
            missing,
        )
        .core()
        .drawn("every operation", Cases::Exactly(9), |_, draw| json!(draw.index())),
        Requirement::must(
            "auth.missing.challenge",
            "Without credentials the answer is 401 missing_credentials with WWW-Authenticate: Bearer.",
            BEARER,
            missing_challenge,
        )
        .drawn("every operation", Cases::Exactly(9), |_, draw| json!(draw.index())),
        Requirement::must(
            "auth.missing.head",
            "Every call carries Authorization: Bearer <API_KEY>; HEAD without it is 401, also right after a call that had it.",
            "service description, section 5; RFC 9110, section 9.3.2; openapi.yaml, info.description",
            head,
        )
        .drawn("every operation that is read", Cases::Exactly(7), |_, draw| json!(READ[draw.index() % READ.len()])),
    ]
}

async fn missing(context: Context, case: Value) -> Verdict {
    let request = with_website(&context, operation(&case));
    demand::refusal(&*context.send(request.clone().by(Credential::None)).await?)?;
    if request.operation != Some("generate") {
        return Ok(());
    }
    // A refusal shows something only where the key makes the difference.
    let Ok(allowed) = context.send(request).await else {
        return Err(Halt::inconclusive("the order that is refused without the key gets no answer with it"));
    };
    if allowed.succeeded() {
        return steps::discard(&context, &allowed).await;
    }
    Err(Halt::inconclusive(format!(
        "the order that is refused without the key is refused with it too ({}): is website_id right?",
        demand::seen(&allowed)
    )))
}

async fn missing_challenge(context: Context, case: Value) -> Verdict {
    let request = with_website(&context, operation(&case)).by(Credential::None);
    let exchange = context.send(request).await?;
    demand::problem(&exchange, 401, &["missing_credentials"])?;
    challenge(&exchange, "bearer")
}

async fn head(context: Context, place: Value) -> Verdict {
    let read = context.send(operation(&place)).await?;
    let head = Request::outside("HEAD", &read.request.path).by(Credential::None);
    demand::status(&*context.send(head).await?, 401)
}
