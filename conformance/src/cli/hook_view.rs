//! Shows one webhook as text: request line, headers, verdict on the signature, times, body.
//!
//! `listen` receives it. The output never contains the secret, not even if the webhook contains it.

use std::fmt::Write as _;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::check::{Secrets, sign_hook, verify_hook};
use crate::inbox::HookRequest;
use crate::report::{on_one_line, visible};
use crate::spec::hexadecimal;

/// Headers that are shown first.
const FIRST: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];
/// Age in seconds from which receivers must refuse a webhook (Standard Webhooks).
const TOLERANCE: i64 = 300;
/// Maximum length of a shown body, in bytes.
const SHOWN_BODY: usize = 64 * 1024;

/// A webhook with its times.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) hook: HookRequest,
    /// Time at which it had been read.
    pub(super) unix_milliseconds: i64,
    /// Time that its body took to arrive.
    pub(super) reading: Duration,
}

/// Shows webhooks.
#[derive(Debug)]
pub(super) struct View {
    secrets: Secrets,
}

impl View {
    /// Creates the view. `secret` verifies signatures.
    pub(super) fn new(secret: Option<String>) -> Self {
        Self { secrets: Secrets::new(secret) }
    }

    /// Says whether signatures will be checked.
    pub(super) fn introduction(&self) -> &'static str {
        if self.secrets.values().is_empty() {
            "Signatures are not checked: name the variable with the secret with --secret-env."
        } else {
            "Signatures are checked."
        }
    }

    /// Returns one webhook as text.
    pub(super) fn show(&self, arrival: &Arrival) -> String {
        let hook = &arrival.hook;
        let time = chrono::DateTime::from_timestamp_millis(arrival.unix_milliseconds).unwrap_or_default();
        let mut text = format!(
            "\n{} {} {} -> {}\n",
            time.format("%H:%M:%S%.3f UTC"),
            on_one_line(&hook.method),
            self.line(&hook.path),
            hook.answered
        );
        let mut add = |name: &str, value: &str| {
            // Writing to a `String` never fails.
            let _ = writeln!(text, "  {name:<18} {value}");
        };
        add("signature", &self.line(&self.verdict(hook)));
        if let Some(secret) = self.secrets.values().first()
            && verify_hook(secret, hook).is_err()
        {
            for (name, value) in mismatch(secret, hook) {
                add(name, &self.line(&value));
            }
        }
        let (first, others): (Vec<_>, Vec<_>) =
            hook.headers.iter().partition(|(name, _)| FIRST.contains(&name.as_str()));
        for (name, value) in first.into_iter().chain(others) {
            add(name.as_str(), &self.line(&String::from_utf8_lossy(value.as_bytes())));
        }
        add("latency", &latency(arrival));
        text.push_str(&self.body(hook));
        text
    }

    fn verdict(&self, hook: &HookRequest) -> String {
        let Some(secret) = self.secrets.values().first() else {
            return "not checked".to_owned();
        };
        if let Err(wrong) = verify_hook(secret, hook) {
            return format!("invalid: {wrong}");
        }
        let sent: Option<i64> = hook.header("webhook-timestamp").and_then(|value| value.parse().ok());
        match sent.map(|sent| hook.arrived_unix - sent) {
            Some(age) if age.abs() <= TOLERANCE => "valid".to_owned(),
            _ => format!(
                "valid, but webhook-timestamp differs from the current time by more than {TOLERANCE} s: receivers refuse it"
            ),
        }
    }

    fn body(&self, hook: &HookRequest) -> String {
        let text = match hook.json() {
            Some(value) => format!("{value:#}"),
            None => String::from_utf8_lossy(&hook.body).into_owned(),
        };
        let masked = self.secrets.mask(&text);
        let end = masked.floor_char_boundary(SHOWN_BODY);
        let more = if end < masked.len() { "…\n" } else { "" };
        let mut lines = String::new();
        for line in visible(&masked[..end]).lines() {
            // Writing to a `String` never fails.
            let _ = writeln!(lines, "  | {line}");
        }
        lines + more
    }

    fn line(&self, text: &str) -> String {
        on_one_line(&self.secrets.mask(text))
    }
}

/// Returns the age of the event by its payload, and the time that the body took.
fn latency(arrival: &Arrival) -> String {
    let reading = format!("body read in {} ms", arrival.reading.as_millis());
    let event = arrival.hook.json().and_then(|body| {
        let time = chrono::DateTime::parse_from_rfc3339(body.get("timestamp")?.as_str()?).ok()?;
        Some(arrival.unix_milliseconds - time.timestamp_millis())
    });
    match event {
        Some(milliseconds) => format!("{milliseconds} ms after the payload's timestamp, {reading}"),
        None => reading,
    }
}

/// Explains why the signature is wrong: the signed content, the expected and the received signature, the likely reason. The lines do not
/// contain the secret. Returns nothing if the secret or a header is missing, which the verdict already says.
fn mismatch(secret: &str, hook: &HookRequest) -> Vec<(&'static str, String)> {
    let (Some(expected), Some(id), Some(timestamp), Some(received)) = (
        sign_hook(secret, hook, &hook.body),
        hook.header("webhook-id"),
        hook.header("webhook-timestamp"),
        hook.header("webhook-signature"),
    ) else {
        return Vec::new();
    };
    let hash = hexadecimal(&Sha256::digest(&hook.body));
    vec![
        ("signed content", format!("{id}.{timestamp}. and the body: {} bytes, SHA-256 {hash}", hook.body.len())),
        ("expected", expected),
        ("received", received.to_owned()),
        ("likely reason", reason(secret, hook, received).to_owned()),
    ]
}

fn reason(secret: &str, hook: &HookRequest, received: &str) -> &'static str {
    let signed = |body: &[u8]| {
        sign_hook(secret, hook, body).is_some_and(|signature| received.split(' ').any(|one| one == signature))
    };
    if !received.split(' ').any(|one| one.starts_with("v1,")) {
        return "the header has no `v1,` followed by base64";
    }
    let compact = hook.json().map(|value| value.to_string()).unwrap_or_default();
    if signed(hook.body.trim_ascii()) || signed(compact.as_bytes()) {
        return "whitespace in the body was changed after signing: send exactly the bytes that were signed";
    }
    if signed(b"") {
        return "the signed content does not contain the body";
    }
    "another secret, or the id, the timestamp or the body was changed after signing; compare length and SHA-256 with the sender's"
}
