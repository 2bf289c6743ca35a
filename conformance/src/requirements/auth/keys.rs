//! Malformed, altered, made-up, revoked and expired keys: no operation accepts them. No response contains a key.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Credential, Exchange, Facts, Finding, Halt, Request, Requirement, Source,
    Verdict, demand, ensure_met,
};
use crate::spec::Document;
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

const REFUSED: &[Source] = &[
    Part("/x-problem-codes/invalid_credentials/status"),
    Sentence("The key is malformed, unknown, revoked or expired."),
    Sentence("If the key was refused, `error` has the reason."),
    Standard("RFC 6750", "3.1"),
];

const ONE_TEXT: &[Source] = &[
    Sentence("The key is malformed, unknown, revoked or expired."),
    Sentence("The response does not say which: `type`, `title` and `detail` are the same for all of them."),
];

const REVOKED: &[Capability] = &[Capability::REVOKED_KEY];

const EXPIRED: &[Capability] = &[Capability::EXPIRED_KEY];

/// Fields of a problem that are the same for every kind of invalid key.
const TEXTS: [&str; 3] = ["type", "title", "detail"];

/// Minimum length in bytes of a key to search for: a shorter one may appear by chance.
const SHORTEST_ECHO: usize = 12;

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
            REFUSED,
            wrong_key_challenge,
        )
        .drawn("wrong keys for every operation", Cases::Listed(count), each),
        Requirement::new(
            "auth.revoked-key.refused",
            "Every operation refuses a revoked key with 401 invalid_credentials and error=\"invalid_token\" in WWW-Authenticate.",
            REFUSED,
            async |context: Context, case: Value| refused(&context, Credential::Revoked, &case).await,
        )
        .needs(REVOKED)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.revoked-key.one-text",
            "The refusal of a revoked key has the same type, title and detail as the refusal of an unknown key.",
            ONE_TEXT,
            async |context: Context, _| refused_like_unknown(&context, Credential::Revoked).await,
        )
        .needs(REVOKED),
        Requirement::new(
            "auth.expired-key.refused",
            "Every operation refuses an expired key with 401 invalid_credentials and error=\"invalid_token\" in WWW-Authenticate.",
            REFUSED,
            async |context: Context, case: Value| refused(&context, Credential::Expired, &case).await,
        )
        .needs(EXPIRED)
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.expired-key.one-text",
            "The refusal of an expired key has the same type, title and detail as the refusal of an unknown key.",
            ONE_TEXT,
            async |context: Context, _| refused_like_unknown(&context, Credential::Expired).await,
        )
        .needs(EXPIRED),
        Requirement::new(
            "auth.key.never-echoed",
            "No key appears in a response, neither in its headers nor in its body.",
            &[
                Fact("2"),
                Fact("5"),
                Sentence("A key begins with a fixed prefix and is shown once."),
                Sentence("It never contains the key."),
            ],
            crate::steps::observing::call_each_operation,
        )
        .core()
        .observing(echoes_key),
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

/// Demands that the operation refuses the key, and responds to the same request with the key under test.
async fn refused(context: &Context, credential: Credential, case: &Value) -> Verdict {
    let request = operations::with_website(context, operations::of_case(context, case)?);
    let exchange = context.send(request.clone().by(credential)).await?;
    demand::problem(&exchange, 401, &["invalid_credentials"])?;
    challenge_with(&exchange, "error", "invalid_token")?;
    control::keyed(context, request).await
}

/// Demands the same texts as for a key that never existed.
async fn refused_like_unknown(context: &Context, credential: Credential) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites");
    let unknown = Credential::Literal(vec![format!("Bearer {}", context.fresh("nobody"))]);
    let unknown = context.send(request.clone().by(unknown)).await?;
    demand::problem(&unknown, 401, &["invalid_credentials"])?;
    let dead = context.send(request.clone().by(credential)).await?;
    demand::problem(&dead, 401, &["invalid_credentials"])?;
    let (expected, told) = (demand::json(&unknown)?, demand::json(&dead)?);
    TEXTS.iter().try_for_each(|field| demand::same(field, &expected[field], &told[field])).about(&dead)?;
    control::keyed(context, request).await
}

#[expect(clippy::unnecessary_wraps, reason = "every observer has this type")]
fn echoes_key(_: &Document, facts: &Facts, exchange: &Exchange) -> Option<Result<(), Finding>> {
    let leaks = |bytes: &[u8]| facts.secrets.show_in(bytes, SHORTEST_ECHO);
    let in_header = exchange.headers.iter().find(|(_, value)| leaks(value.as_bytes()));
    let place = match in_header {
        Some((name, _)) => format!("header {name}"),
        None if leaks(&exchange.body) => "the body".to_owned(),
        None => return Some(Ok(())),
    };
    Some(Err(Finding::new("a response without the key", format!("the key in {place} of {}", exchange.line()))))
}
