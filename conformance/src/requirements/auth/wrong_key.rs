//! Keys that are malformed, altered or made up.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand};
use crate::steps::credentials::challenge;
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

const BEARER: &str = "RFC 6750, section 3; openapi.yaml, x-problem-codes";

const KEYS: &str = "service description, section 5";

/// Headers that hold a key which is not the right one; `{key}` is the right one.
const WRONG_KEYS: [&str; 9] = [
    "Bearer wrong",
    "Bearer {key}x",
    "Bearer x{key}",
    "Bearer {prefix}",
    "Bearer {swapped}",
    "Bearer {key}{key}",
    "Bearer %00",
    "Bearer \"{key}\"",
    "Bearer null",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "auth.wrong-key.refused",
            "Only the key that was shown at its creation works: no part of it, no longer text, no other upper or lower case.",
            KEYS,
            wrong_key,
        )
        .core()
        .drawn("wrong keys for every operation", Cases::Listed(count), each),
        Requirement::must(
            "auth.wrong-key.challenge",
            "A malformed or unknown key is answered 401 invalid_credentials with error=\"invalid_token\" in WWW-Authenticate.",
            BEARER,
            wrong_key_challenge,
        )
        .drawn("wrong keys for every operation", Cases::Listed(count), each),
    ]
}

fn count(space: &Space) -> usize {
    operations::count(space) * WRONG_KEYS.len()
}

/// Every key for every operation.
fn each(space: &Space, draw: &mut Draw) -> Value {
    let header = WRONG_KEYS[draw.index() / operations::count(space) % WRONG_KEYS.len()];
    json!({ "operation": operations::each(space, draw), "header": header })
}

fn wrong(context: &Context, case: &Value) -> Result<Request, Halt> {
    let key = context.facts().secrets.values().first().cloned().unwrap_or_default();
    let prefix: String = key.chars().take(key.chars().count().saturating_sub(1)).collect();
    let swapped: String = key
        .chars()
        .map(|letter| if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() })
        .collect();
    let header = demand::text(case, "header")?;
    let value = header.replace("{prefix}", &prefix).replace("{swapped}", &swapped);
    let request = operations::with_website(context, operations::of_case(context, case)?);
    Ok(request.by(Credential::Literal(vec![value])))
}

async fn wrong_key(context: Context, case: Value) -> Verdict {
    let request = wrong(&context, &case)?;
    demand::refusal(&*context.send(request.clone()).await?)?;
    control::keyed(&context, request).await
}

async fn wrong_key_challenge(context: Context, case: Value) -> Verdict {
    let request = wrong(&context, &case)?;
    let exchange = context.send(request.clone()).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    challenge(&exchange, "invalid_token")?;
    control::keyed(&context, request).await
}
