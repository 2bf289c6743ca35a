//! Malformed, altered and made-up keys.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{Cases, Context, Credential, Halt, Request, Requirement, Verdict, demand, ensure_met};
use crate::steps::credentials::challenge_with;
use crate::steps::{control, operations};
use crate::strategies::{Draw, Space};

/// Values of `Authorization` with a wrong key; `{key}` is the right one.
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
        Requirement::new(
            "auth.wrong-key.refused",
            "Only the key that was shown at its creation works: no part of it, no longer text, no other letter case.",
            &[Fact("2"), Fact("5"), Sentence("Every call of the API carries `Authorization: Bearer <platform key>`.")],
            wrong_key,
        )
        .core()
        .drawn("wrong keys for every operation", Cases::Listed(count), each),
        Requirement::new(
            "auth.wrong-key.challenge",
            "A malformed or unknown key gets 401 invalid_credentials with error=\"invalid_token\" in WWW-Authenticate.",
            &[
                Part("/x-problem-codes/invalid_credentials/status"),
                Sentence("The key is malformed, unknown, revoked or expired."),
                Sentence("If the key was refused, `error` has the reason."),
                Standard("RFC 6750", "3.1"),
            ],
            wrong_key_challenge,
        )
        .drawn("wrong keys for every operation", Cases::Listed(count), each),
    ]
}

fn count(space: &Space) -> usize {
    operations::count(space) * WRONG_KEYS.len()
}

/// Draws each wrong key for each operation.
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
    ensure_met(header != "Bearer {swapped}" || swapped != key, "the key has no letter in another case")?;
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
    challenge_with(&exchange, "error", "invalid_token")?;
    control::keyed(&context, request).await
}
