//! Exchanges as evidence: readable, cut to size, secrets masked by value, with a curl line that repeats them.
//!
//! Which exchanges are shown is decided by the failure they belong to.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::requirements::{Credential, Exchange, Secrets};

/// How many exchanges of a case are kept, and how much of each body.
const KEPT_EXCHANGES: usize = 12;
const KEPT_BODY: usize = 4 * 1024;

/// One exchange of a failing case.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExchangeReport {
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Body as sent, cut to 4 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Status of the answer.
    pub status: u16,
    /// Headers of the answer.
    pub headers: Vec<(String, String)>,
    /// Body of the answer, cut to 4 KiB.
    pub body: String,
    /// Time in milliseconds.
    pub elapsed_ms: u64,
    /// A shell line that sends the request again; keys come from the environment.
    pub curl: String,
}

/// The last exchanges of a case.
pub(super) fn exchanges(base_url: &str, all: &[Arc<Exchange>], secrets: &Secrets) -> Vec<ExchangeReport> {
    let skipped = all.len().saturating_sub(KEPT_EXCHANGES);
    all[skipped..].iter().map(|exchange| report(base_url, exchange, secrets)).collect()
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

fn report(base_url: &str, exchange: &Exchange, secrets: &Secrets) -> ExchangeReport {
    let headers = exchange
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), secrets.mask(&String::from_utf8_lossy(value.as_bytes()))));
    ExchangeReport {
        method: exchange.request.method.clone(),
        path: secrets.mask(&exchange.request.path),
        request_body: exchange.request.body.as_ref().map(|body| secrets.mask(&cut(body))),
        status: exchange.status,
        headers: headers.collect(),
        body: secrets.mask(&cut(&exchange.body)),
        elapsed_ms: u64::try_from(exchange.elapsed.as_millis()).unwrap_or(u64::MAX),
        curl: secrets.mask(&curl(base_url, exchange)),
    }
}

fn cut(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(KEPT_BODY)]).into_owned();
    if body.len() > KEPT_BODY { format!("{text}… ({} bytes)", body.len()) } else { text }
}

fn curl(base_url: &str, exchange: &Exchange) -> String {
    let request = &exchange.request;
    let url =
        if request.path.starts_with("http") { request.path.clone() } else { format!("{base_url}{}", request.path) };
    let mut line = format!("curl -i -X {} {}", request.method, quote(&url));
    let keys: Vec<String> = match &request.credential {
        Credential::Main => vec!["Bearer $CONTENTGEN_API_KEY".to_owned()],
        Credential::Other => vec!["Bearer $CONTENTGEN_OTHER_API_KEY".to_owned()],
        Credential::SmallQuota => vec!["Bearer $CONTENTGEN_LIMITED_API_KEY".to_owned()],
        Credential::None => Vec::new(),
        Credential::Literal(values) => {
            values.iter().map(|value| value.replace("{key}", "$CONTENTGEN_API_KEY")).collect()
        }
    };
    for key in keys {
        line.push_str(" -H \"Authorization: ");
        line.push_str(&key.replace('"', "\\\""));
        line.push('"');
    }
    for (name, value) in &request.headers {
        line.push_str(" -H ");
        line.push_str(&quote(&format!("{name}: {value}")));
    }
    if let Some(body) = &request.body {
        line.push_str(" --data-binary ");
        line.push_str(&quote(&cut(body)));
    }
    line
}

/// A text as one word of a POSIX shell.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
