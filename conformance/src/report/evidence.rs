//! Exchanges as evidence: readable, cut to size, secrets masked by value, with a curl line that repeats them.
//!
//! Which exchanges are shown is decided by the failure they belong to; whole bodies go into `har`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::curl;
use crate::check::{Credential, Exchange, Secrets};
use crate::runner::{Failure, Run};

/// How many exchanges and hooks of a case are kept, and how many bytes of each text.
pub(super) const KEPT: usize = 12;
const KEPT_TEXT: usize = 4 * 1024;

/// One exchange of a failing case.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExchangeReport {
    /// Its place among the exchanges of the case, from 1.
    pub position: usize,
    /// Whether it is the one to look at first: the one that shows the fault, as far as the suite can tell.
    pub is_decisive: bool,
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent, without what HTTP itself needs.
    pub request_headers: Vec<(String, String)>,
    /// Body as sent, cut to 4 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Status of the answer; 0 where none came.
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

/// The exchanges of a case that are worth keeping.
pub(super) fn exchanges(run: &Run, failure: &Failure) -> Vec<ExchangeReport> {
    let decisive = failure.decisive();
    let report = |(at, exchange): (usize, &Exchange)| report(run, exchange, at + 1, Some(at) == decisive);
    kept(failure).into_iter().map(report).collect()
}

/// The exchanges of a case that are worth keeping, with their places from 0: the last ones, and the one that shows the
/// fault.
pub(super) fn kept(failure: &Failure) -> Vec<(usize, &Exchange)> {
    let count = failure.exchanges.len();
    let decisive = failure.decisive();
    let is_early = decisive.is_some_and(|at| at + KEPT < count);
    let first = count.saturating_sub(if is_early { KEPT - 1 } else { KEPT });
    let all = failure.exchanges.iter().map(Arc::as_ref).enumerate();
    all.filter(|(at, _)| *at >= first || Some(*at) == decisive).collect()
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

fn report(run: &Run, exchange: &Exchange, position: usize, is_decisive: bool) -> ExchangeReport {
    let secrets = &run.facts.secrets;
    let request = &exchange.request;
    ExchangeReport {
        position,
        is_decisive,
        method: request.method.clone(),
        path: secrets.mask(&request.path),
        request_headers: request_headers(run, exchange),
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
    // An end long before the start of the run is an end at its start.
    let begun = exchange.ended.checked_sub(exchange.elapsed).unwrap_or(run.begun);
    since_start(run, begun)
}

/// Milliseconds from the start of the run to `moment`.
pub(super) fn since_start(run: &Run, moment: Instant) -> u64 {
    u64::try_from(moment.saturating_duration_since(run.begun).as_millis()).unwrap_or(u64::MAX)
}

/// The headers that the requirement asked for; a key is masked by the name of the variable that holds it, so that one
/// account can be told from another.
pub(super) fn request_headers(run: &Run, exchange: &Exchange) -> Vec<(String, String)> {
    let secrets = &run.facts.secrets;
    let keys = &run.key_variables;
    let masked = |variable: &str| format!("[masked: {variable}]");
    let credentials: Vec<String> = match &exchange.request.credential {
        Credential::Literal(values) => {
            values.iter().map(|value| secrets.mask(&value.replace("{key}", &masked(&keys.main)))).collect()
        }
        carried => keys.of(carried).map(|variable| format!("Bearer {}", masked(variable))).into_iter().collect(),
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
pub(super) fn cut(body: &[u8], secrets: &Secrets) -> String {
    cut_text(&secrets.mask(&String::from_utf8_lossy(body)))
}

/// A text of at most 4 KiB, and how much of it is left out.
pub(super) fn cut_text(text: &str) -> String {
    if text.len() <= KEPT_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(KEPT_TEXT);
    format!("{}… ({} of {} bytes are left out)", &text[..end], text.len() - end, text.len())
}
