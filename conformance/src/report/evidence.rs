//! Exchanges as evidence: readable, cut to size, secrets masked by value, with a curl line that repeats them.
//!
//! Which exchanges are shown is decided by the failure they belong to; whole bodies go into `har`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::curl;
use crate::requirements::{Credential, Exchange, Secrets};
use crate::runner::Run;

/// How many exchanges of a case are kept, and how much of each body.
pub(super) const KEPT_EXCHANGES: usize = 12;
const KEPT_BODY: usize = 4 * 1024;

/// One exchange of a failing case.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExchangeReport {
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent, without what HTTP itself needs.
    pub request_headers: Vec<(String, String)>,
    /// Body as sent, cut to 4 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Status of the answer.
    pub status: u16,
    /// Headers of the answer.
    pub headers: Vec<(String, String)>,
    /// Body of the answer, cut to 4 KiB.
    pub body: String,
    /// When it was sent, in milliseconds since the start of the run.
    pub started_ms: u64,
    /// Time in milliseconds.
    pub elapsed_ms: u64,
    /// A shell line that sends the request again; keys come from the environment.
    pub curl: String,
}

/// The last exchanges of a case.
pub(super) fn exchanges(run: &Run, all: &[Arc<Exchange>]) -> Vec<ExchangeReport> {
    kept(all).iter().map(|exchange| report(run, exchange)).collect()
}

/// The exchanges of a case that are worth keeping: the last ones.
pub(super) fn kept(all: &[Arc<Exchange>]) -> &[Arc<Exchange>] {
    &all[all.len().saturating_sub(KEPT_EXCHANGES)..]
}

/// `value` with secrets masked in every text.
pub(super) fn mask(value: &Value, secrets: &Secrets) -> Value {
    match value {
        Value::String(text) => Value::String(secrets.mask(text)),
        Value::Array(items) => items.iter().map(|item| mask(item, secrets)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (secrets.mask(name), mask(member, secrets))).collect()
        }
        other => other.clone(),
    }
}

fn report(run: &Run, exchange: &Exchange) -> ExchangeReport {
    let secrets = &run.facts.secrets;
    let request = &exchange.request;
    ExchangeReport {
        method: request.method.clone(),
        path: secrets.mask(&request.path),
        request_headers: request_headers(exchange, secrets),
        request_body: request.body.as_ref().map(|body| cut(body, secrets)),
        status: exchange.status,
        headers: answer_headers(exchange, secrets),
        body: cut(&exchange.body, secrets),
        started_ms: started_ms(run, exchange),
        elapsed_ms: u64::try_from(exchange.elapsed.as_millis()).unwrap_or(u64::MAX),
        curl: curl::line(run, request),
    }
}

/// When the request was sent, in milliseconds since the start of the run.
pub(super) fn started_ms(run: &Run, exchange: &Exchange) -> u64 {
    let since = exchange.ended.saturating_duration_since(run.begun).saturating_sub(exchange.elapsed);
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The headers that the requirement asked for, keys masked.
pub(super) fn request_headers(exchange: &Exchange, secrets: &Secrets) -> Vec<(String, String)> {
    let credentials = match &exchange.request.credential {
        Credential::Main | Credential::Other | Credential::SmallQuota | Credential::NarrowScope => {
            vec!["Bearer [masked]".to_owned()]
        }
        Credential::None => Vec::new(),
        Credential::Literal(values) => {
            values.iter().map(|value| secrets.mask(&value.replace("{key}", "[masked]"))).collect()
        }
    };
    let credentials = credentials.into_iter().map(|value| ("authorization".to_owned(), value));
    let others = exchange.request.headers.iter().map(|(name, value)| (name.clone(), secrets.mask(value)));
    credentials.chain(others).collect()
}

/// The headers of the answer, secrets masked.
pub(super) fn answer_headers(exchange: &Exchange, secrets: &Secrets) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| secrets.mask(&String::from_utf8_lossy(value.as_bytes()));
    exchange.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

/// A body as text: masked first, then cut, so that no part of a secret is left at the end.
fn cut(body: &[u8], secrets: &Secrets) -> String {
    let text = secrets.mask(&String::from_utf8_lossy(body));
    if text.len() <= KEPT_BODY {
        return text;
    }
    let end = text.floor_char_boundary(KEPT_BODY);
    format!("{}… ({} bytes)", &text[..end], body.len())
}
