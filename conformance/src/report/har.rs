//! `har/ID.har`: the exchanges of a requirement as an HTTP Archive 1.2, for the network view of any browser.
//!
//! It contains only data that the suite measured, so no times of name resolution.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::evidence;
use crate::check::{Exchange, Secrets};
use crate::runner::{Failure, Run};

/// Maximum length of a body in the archive, in bytes.
const LONGEST_BODY: usize = 256 * 1024;

/// Selects the requirements that get an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Archives {
    /// Requirements with a failure.
    #[default]
    Failed,
    /// All requirements. For passed ones the run must have kept exchanges: at most 12 of their first case.
    All,
    /// No requirements.
    None,
}

/// Returns the archive of one failure.
pub(super) fn of_failure(run: &Run, failure: &Failure) -> String {
    let decisive = failure.decisive();
    let entries: Vec<Value> = evidence::kept(failure)
        .into_iter()
        .map(|(at, exchange)| {
            let mut entry = entry(run, exchange);
            if Some(at) == decisive {
                entry["comment"] = json!("look here first");
            }
            entry
        })
        .collect();
    archive(run, &format!("expected {}, observed {}", failure.finding.expected, failure.finding.observed), &entries)
}

/// Returns the archive of a requirement without a failure: the first exchanges of its first case.
pub(super) fn of_first_case(run: &Run, clause: &str, exchanges: &[Arc<Exchange>]) -> String {
    let entries: Vec<Value> = exchanges.iter().map(|exchange| entry(run, exchange)).collect();
    archive(run, &format!("{clause} The first {} exchanges of its first case.", exchanges.len()), &entries)
}

fn archive(run: &Run, comment: &str, entries: &[Value]) -> String {
    let archive = json!({ "log": {
        "version": "1.2",
        "creator": { "name": "contentgen-conformance", "version": env!("CARGO_PKG_VERSION") },
        "comment": run.facts.secrets.mask(comment),
        "entries": entries,
    }});
    format!("{archive:#}\n")
}

fn entry(run: &Run, exchange: &Exchange) -> Value {
    let secrets = &run.facts.secrets;
    let elapsed = exchange.elapsed.as_secs_f64() * 1000.0;
    json!({
        "startedDateTime": started(run, exchange),
        "time": elapsed,
        "request": request(run, exchange),
        "response": {
            "status": exchange.status,
            "statusText": http::StatusCode::from_u16(exchange.status)
                .ok().and_then(|status| status.canonical_reason()).unwrap_or_default(),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": pairs(evidence::answer_headers(exchange, secrets)),
            "content": content(exchange, secrets),
            "redirectURL": secrets.mask(exchange.header("location").unwrap_or_default()),
            "headersSize": -1,
            "bodySize": exchange.body.len(),
        },
        "cache": {},
        "timings": { "send": 0, "wait": elapsed, "receive": 0 },
    })
}

fn started(run: &Run, exchange: &Exchange) -> String {
    let since = i64::try_from(evidence::started_ms(run, exchange)).unwrap_or(i64::MAX);
    let at = chrono::DateTime::from_timestamp_millis(run.started.saturating_mul(1000).saturating_add(since));
    at.unwrap_or_default().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

fn request(run: &Run, exchange: &Exchange) -> Value {
    let secrets = &run.facts.secrets;
    let request = &exchange.request;
    let is_whole = request.path.starts_with("http://") || request.path.starts_with("https://");
    let address = if is_whole { request.path.clone() } else { format!("{}{}", run.facts.base_url, request.path) };
    let url = url::Url::parse(&address);
    let query = url.as_ref().map_or_else(
        |_| Vec::new(),
        |url| url.query_pairs().map(|(name, value)| (secrets.mask(&name), secrets.mask(&value))).collect(),
    );
    let mut sent = Map::from_iter([
        ("method".to_owned(), json!(request.method)),
        ("url".to_owned(), json!(secrets.mask(&url.map_or(address, |url| url.to_string())))),
        ("httpVersion".to_owned(), json!("HTTP/1.1")),
        ("cookies".to_owned(), json!([])),
        ("headers".to_owned(), pairs(evidence::request_headers(run, exchange))),
        ("queryString".to_owned(), pairs(query)),
        ("headersSize".to_owned(), json!(-1)),
        ("bodySize".to_owned(), json!(request.body.as_ref().map_or(0, Bytes::len))),
    ]);
    if let Some(body) = &request.body {
        let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
        let media_type = request.headers.iter().find(named).map_or("", |(_, value)| value.as_str());
        let (text, length) = text(body, secrets);
        let mut data = json!({ "mimeType": media_type, "params": [], "text": text });
        note_cut(&mut data, length);
        sent.insert("postData".to_owned(), data);
    }
    Value::Object(sent)
}

fn content(exchange: &Exchange, secrets: &Secrets) -> Value {
    let media_type = exchange.header("content-type").unwrap_or_default();
    let mut content = json!({ "size": exchange.body.len(), "mimeType": secrets.mask(media_type) });
    if std::str::from_utf8(&exchange.body).is_ok() {
        let (text, length) = text(&exchange.body, secrets);
        content["text"] = json!(text);
        note_cut(&mut content, length);
    } else {
        // Binary data cannot be masked in place, so replace secrets first.
        let masked = secrets.mask(&String::from_utf8_lossy(&exchange.body));
        let holds_secret = masked != String::from_utf8_lossy(&exchange.body);
        let bytes = if holds_secret { masked.as_bytes() } else { &exchange.body };
        content["encoding"] = json!("base64");
        content["text"] = json!(STANDARD.encode(&bytes[..bytes.len().min(LONGEST_BODY)]));
        note_cut(&mut content, bytes.len());
    }
    content
}

/// Returns a body as text, first masked and then cut, and its length before that.
fn text(body: &[u8], secrets: &Secrets) -> (String, usize) {
    let mut text = secrets.mask(&String::from_utf8_lossy(body));
    let length = text.len();
    text.truncate(text.floor_char_boundary(LONGEST_BODY));
    (text, length)
}

/// Notes how much of a body of `length` bytes is omitted, if any.
fn note_cut(content: &mut Value, length: usize) {
    if length > LONGEST_BODY {
        content["comment"] = json!(format!("the last {} of {length} bytes are left out", length - LONGEST_BODY));
    }
}

fn pairs(pairs: Vec<(String, String)>) -> Value {
    pairs.into_iter().map(|(name, value)| json!({ "name": name, "value": value })).collect()
}
