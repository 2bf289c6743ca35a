//! Keys: missing, malformed, altered, in other schemes; nothing succeeds and nothing leaks.
//!
//! What belongs to other accounts is in `isolation`.

use serde_json::{Value, json};

use super::context::Context;
use super::demand;
use super::exchange::{Credential, Exchange, Request};
use super::facts::Facts;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Finding, Halt, Verdict, ensure};
use crate::spec::Document;

const KEYS: &str = "service description, section 5";
const BEARER: &str = "RFC 6750, section 3; openapi.yaml, x-problem-codes";

/// Every operation, with a path that needs no object.
const OPERATIONS: [(&str, &str, &str); 9] = [
    ("generate", "POST", "/generate"),
    ("get_article", "GET", "/articles/art_x"),
    ("get_job", "GET", "/jobs/job_x"),
    ("list_leads", "GET", "/leads"),
    ("get_lead", "GET", "/leads/lead_x"),
    ("list_articles", "GET", "/articles"),
    ("cancel_job", "POST", "/jobs/job_x/cancel"),
    ("list_scheduled_posts", "GET", "/scheduled_posts"),
    ("list_websites", "GET", "/websites"),
];

/// Keys shorter than this show by chance.
const SHORTEST_ECHO: usize = 8;
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

pub(super) fn requirements() -> Vec<Requirement> {
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
        Requirement::must(
            "auth.scheme.case-insensitive",
            "The name of the scheme is compared without regard to case.",
            "RFC 9110, section 11.1",
            scheme_case,
        )
        .drawn("spellings of the scheme", Cases::Exactly(3), |_, draw| {
            json!(["bearer", "BEARER", "bEaReR"][draw.index() % 3])
        }),
        Requirement::must(
            "auth.scheme.others",
            "Other schemes carry no platform key: 401 missing_credentials.",
            BEARER,
            other_schemes,
        )
        .drawn("other schemes", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::must(
            "auth.header.doubled-or-empty",
            "Bearer without a key, and two Authorization headers, are answered 401 invalid_credentials.",
            BEARER,
            doubled,
        ),
        Requirement::must(
            "auth.order.first",
            "Credentials are checked before the body: a wrong key with a broken body is 401.",
            "openapi.yaml, info.description",
            before_body,
        ),
        Requirement::must(
            "auth.key.never-echoed",
            "The key never shows in an answer, neither in headers nor in the body.",
            KEYS,
            super::observed::tour,
        )
        .core()
        .observing(echoes_key),
    ]
}

fn index_of(case: &Value) -> usize {
    usize::try_from(case.as_u64().unwrap_or(0)).unwrap_or(0)
}

/// The operation at that place of the list, as it is sent to find out who is let through.
pub(super) fn operation(case: &Value) -> Request {
    let (operation, method, path) = OPERATIONS[index_of(case) % OPERATIONS.len()];
    let request = Request::new(operation, method, path);
    if operation == "generate" {
        request.json(&json!({ "topic": "Nobody asked for this", "website_id": "web_x" }))
    } else {
        request
    }
}

fn with_website(context: &Context, mut request: Request) -> Request {
    if request.operation == Some("generate") {
        let body = steps::quiet_request(context, "Nobody asked for this");
        request.body = Some(body.to_string().into());
    }
    request
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

/// `WWW-Authenticate` begins with the scheme and holds `part`.
fn challenge(exchange: &Exchange, part: &str) -> Verdict {
    let value = demand::header(exchange, "www-authenticate")?.to_lowercase();
    let holds = value.starts_with("bearer") && value.contains(part);
    ensure(holds, format!("WWW-Authenticate: Bearer … {part}"), || value.clone())
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
    demand::problem(&*context.send(request).await?, 401, &["missing_credentials"])
}

async fn doubled(context: Context, _: Value) -> Verdict {
    let right = "Bearer {key}".to_owned();
    for values in [vec!["Bearer".to_owned()], vec!["Bearer ".to_owned()], vec![right.clone(), right]] {
        let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(values));
        demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])?;
    }
    Ok(())
}

async fn before_body(context: Context, _: Value) -> Verdict {
    let mut request = steps::generate(&Value::Null).by(Credential::Literal(vec!["Bearer wrong".to_owned()]));
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])
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
    Some(Err(Finding::new("an answer without the key", format!("the key in {place} of {}", exchange.line()))))
}
