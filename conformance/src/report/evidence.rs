//! Exchanges as evidence: readable, cut to size, with masked secrets and a curl command that repeats them.
//!
//! The failure determines which exchanges are shown. `har` contains whole bodies.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::curl;
use crate::check::{Credential, Exchange, Secrets};
use crate::inbox::HookRequest;
use crate::runner::{Failure, Run};

/// Maximum number of exchanges and webhooks of a case, and maximum number of bytes of each text.
pub(super) const KEPT: usize = 12;
const KEPT_TEXT: usize = 4 * 1024;

/// One exchange of a failing case.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExchangeReport {
    /// Its position among the exchanges of the case, from 1.
    pub position: usize,
    /// True for the exchange to check first: the one that shows the fault, as far as the suite knows.
    pub is_decisive: bool,
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent, without those that HTTP itself needs.
    pub request_headers: Vec<(String, String)>,
    /// Body as sent, cut to 4 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Status of the response; 0 if there was none.
    pub status: u16,
    /// Headers of the response.
    pub headers: Vec<(String, String)>,
    /// Body of the response, cut to 4 KiB.
    pub body: String,
    /// Time of sending, in milliseconds since the start of the run.
    pub started_ms: u64,
    /// Duration in milliseconds.
    pub elapsed_ms: u64,
    /// A shell command that sends the request again; keys come from the environment.
    pub curl: String,
}

/// Returns the exchanges of a case that are worth keeping.
pub(super) fn exchanges(run: &Run, failure: &Failure) -> Vec<ExchangeReport> {
    let decisive = failure.decisive();
    let report = |(at, exchange): (usize, &Exchange)| report(run, exchange, at + 1, Some(at) == decisive);
    kept(failure).into_iter().map(report).collect()
}

/// Returns the exchanges of a case that are worth keeping, with their positions from 0: the last ones, and the one that shows the fault.
pub(super) fn kept(failure: &Failure) -> Vec<(usize, &Exchange)> {
    let count = failure.exchanges.len();
    let decisive = failure.decisive();
    let is_early = decisive.is_some_and(|at| at + KEPT < count);
    let first = count.saturating_sub(if is_early { KEPT - 1 } else { KEPT });
    let all = failure.exchanges.iter().map(Arc::as_ref).enumerate();
    all.filter(|(at, _)| *at >= first || Some(*at) == decisive).collect()
}

/// Returns `value` with secrets masked in every text.
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

/// Returns the time at which the request was sent, in milliseconds since the start of the run.
pub(super) fn started_ms(run: &Run, exchange: &Exchange) -> u64 {
    // An exchange from long before the run counts as from its start.
    let begun = exchange.ended.checked_sub(exchange.elapsed).unwrap_or(run.begun);
    since_start(run, begun)
}

/// Returns the milliseconds from the start of the run to `moment`.
pub(super) fn since_start(run: &Run, moment: Instant) -> u64 {
    u64::try_from(moment.saturating_duration_since(run.begun).as_millis()).unwrap_or(u64::MAX)
}

/// Returns the headers that the requirement set. A key is replaced by the name of its variable, which identifies the account.
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
    let extra = run.extra_headers.iter().map(|header| (header.name.clone(), header.masked()));
    credentials.chain(extra).chain(others).collect()
}

/// Returns the headers of the response, with masked secrets.
pub(super) fn answer_headers(exchange: &Exchange, secrets: &Secrets) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| secrets.mask(&String::from_utf8_lossy(value.as_bytes()));
    exchange.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

/// Returns a body as text: first masked, then cut, so that no part of a secret is left at the end.
pub(super) fn cut(body: &[u8], secrets: &Secrets) -> String {
    cut_text(&secrets.mask(&String::from_utf8_lossy(body)))
}

/// Returns a text of at most 4 KiB, with the number of omitted characters.
pub(super) fn cut_text(text: &str) -> String {
    if text.len() <= KEPT_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(KEPT_TEXT);
    format!("{}… ({} of {} bytes are left out)", &text[..end], text.len() - end, text.len())
}

/// Names of headers that contain a secret or a value derived from one.
const SECRET_NAMES: [&str; 9] =
    ["signature", "authorization", "token", "secret", "hmac", "digest", "cookie", "password", "api-key"];

/// One webhook as it arrived at the suite's receiver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookReport {
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent; signatures and credentials are replaced by their length.
    pub headers: Vec<(String, String)>,
    /// The body, cut to 4 KiB.
    pub body: String,
    /// Arrival time of its last byte, in milliseconds since the start of the run.
    pub arrived_ms: u64,
    /// Status of the receiver's response, 0 if there was none.
    pub answered: u16,
}

/// Returns the webhooks of a case, at most 12: the first one, and the last ones. If one was refused, it comes first.
pub(super) fn hooks(run: &Run, failure: &Failure) -> Vec<HookReport> {
    let left_out = failure.received.len().saturating_sub(KEPT);
    let is_kept = |(at, _): &(usize, &HookRequest)| *at == 0 || *at > left_out;
    failure.received.iter().enumerate().filter(is_kept).map(|(_, hook)| hook_report(run, hook)).collect()
}

fn hook_report(run: &Run, hook: &HookRequest) -> HookReport {
    let secrets = &run.facts.secrets;
    let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.to_string(), shown(name.as_str(), &String::from_utf8_lossy(value.as_bytes()), secrets))
    };
    HookReport {
        method: hook.method.clone(),
        path: secrets.mask(&hook.path),
        headers: hook.headers.iter().map(header).collect(),
        body: cut(&hook.body, secrets),
        arrived_ms: since_start(run, hook.arrived),
        answered: hook.answered,
    }
}

fn shown(name: &str, value: &str, secrets: &Secrets) -> String {
    if SECRET_NAMES.iter().any(|part| name.contains(part)) {
        format!("[masked, {} characters]", value.chars().count())
    } else {
        secrets.mask(value)
    }
}
