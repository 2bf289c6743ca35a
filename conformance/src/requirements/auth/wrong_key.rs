//! Keys that are malformed, altered or made up.

use serde_json::{Value, json};

use crate::check::{Cases, Context, Credential, Request, Requirement, Verdict, demand};
use crate::steps::credentials::{OPERATIONS, challenge, operation, with_website};
use crate::steps::draws::index_of;

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
            "Only the key that was shown at its creation works: no part, no extension, no other case of it.",
            KEYS,
            wrong_key,
        )
        .core()
        .drawn("wrong keys for every operation", Cases::Exactly(81), |_, draw| json!(draw.index())),
        Requirement::must(
            "auth.wrong-key.challenge",
            "A malformed or unknown key is answered 401 invalid_credentials with error=\"invalid_token\" in WWW-Authenticate.",
            BEARER,
            wrong_key_challenge,
        )
        .drawn("wrong keys for every operation", Cases::Exactly(81), |_, draw| json!(draw.index())),
    ]
}

fn wrong(context: &Context, case: &Value) -> Request {
    let key = context.facts().secrets.values().first().cloned().unwrap_or_default();
    let prefix: String = key.chars().take(key.chars().count().saturating_sub(1)).collect();
    let swapped: String = key
        .chars()
        .map(|letter| if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() })
        .collect();
    let index = index_of(case);
    let value = WRONG_KEYS[index / OPERATIONS.len() % WRONG_KEYS.len()]
        .replace("{prefix}", &prefix)
        .replace("{swapped}", &swapped);
    with_website(context, operation(case)).by(Credential::Literal(vec![value]))
}

async fn wrong_key(context: Context, case: Value) -> Verdict {
    demand::refusal(&*context.send(wrong(&context, &case)).await?)
}

async fn wrong_key_challenge(context: Context, case: Value) -> Verdict {
    let exchange = context.send(wrong(&context, &case)).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    challenge(&exchange, "invalid_token")
}
