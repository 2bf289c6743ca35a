//! HEAD is a call like any other: it carries a key.
//!
//! The other methods are in `auth`.

use serde_json::{Value, json};

use super::auth::operation;
use super::context::Context;
use super::demand;
use super::exchange::{Credential, Request};
use super::requirement::{Cases, Requirement};
use super::verdict::Verdict;

/// The operations that are read with GET, by their place in `auth`.
const READ: [usize; 7] = [1, 2, 3, 4, 5, 7, 8];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.missing.head",
            "Every call carries Authorization: Bearer <API_KEY>; HEAD without it is 401, also right after a call that had it.",
            "service description, section 5; RFC 9110, section 9.3.2; openapi.yaml, info.description",
            head,
        )
        .drawn("every operation that is read", Cases::Exactly(7), |_, draw| json!(READ[draw.index() % READ.len()])),
    ]
}

async fn head(context: Context, place: Value) -> Verdict {
    let read = context.send(operation(&place)).await?;
    let head = Request::outside("HEAD", &read.request.path).by(Credential::None);
    demand::status(&*context.send(head).await?, 401)
}
