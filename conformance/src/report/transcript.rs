//! Exchanges and webhooks as text, as they were sent over the network.

use super::evidence::{ExchangeReport, HookReport};
use super::model::FailureReport;

/// Returns method, path, status and time of an exchange in one line.
pub(super) fn line(exchange: &ExchangeReport) -> String {
    format!("{} {} → {}, {} ms", exchange.method, exchange.path, status(exchange), exchange.elapsed_ms)
}

fn status(exchange: &ExchangeReport) -> String {
    if exchange.status == 0 { "no response".to_owned() } else { exchange.status.to_string() }
}

/// Returns the position of the exchange in its case.
pub(super) fn place(failure: &FailureReport, exchange: &ExchangeReport) -> String {
    let place = format!("{} of {}", exchange.position, failure.exchange_count);
    if exchange.is_decisive && failure.exchange_count > 1 { format!("{place}, look here first") } else { place }
}

/// Returns the request.
pub(super) fn request(exchange: &ExchangeReport) -> String {
    let first = format!("{} {}", exchange.method, exchange.path);
    message(&first, &exchange.request_headers, exchange.request_body.as_deref().unwrap_or_default())
}

/// Returns the response.
pub(super) fn answer(exchange: &ExchangeReport) -> String {
    message(&status(exchange), &exchange.headers, &exchange.body)
}

/// Returns a webhook in one line.
pub(super) fn hook_line(hook: &HookReport) -> String {
    let answer = if hook.answered == 0 { "without a response".to_owned() } else { format!("→ {}", hook.answered) };
    let seconds = std::time::Duration::from_millis(hook.arrived_ms).as_secs_f64();
    format!("{} {} {answer}, arrived {seconds:.3} s after the start", hook.method, hook.path)
}

/// Returns a webhook as it arrived.
pub(super) fn hook(hook: &HookReport) -> String {
    message(&format!("{} {}", hook.method, hook.path), &hook.headers, &hook.body)
}

fn message(first: &str, headers: &[(String, String)], body: &str) -> String {
    let headers: String = headers.iter().flat_map(|(name, value)| [name.as_str(), ": ", value, "\n"]).collect();
    format!("{first}\n{headers}\n{body}").trim_end().to_owned()
}
