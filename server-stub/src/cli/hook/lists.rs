//! The output of `hook list`, `deliveries` and `attempts`: columns, or one JSON object per line.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::{App, EndpointView};
use crate::cli::failure::Failure;
use crate::cli::run::print;
use crate::cli::table::{table, text_or_empty};
use crate::config::{ListAttempts, ListDeliveries, ListHooks};
use crate::domain::account::Account;
use crate::domain::delivery::{LoggedAttempt, LoggedDelivery};

pub(super) async fn endpoints(app: &App, account: &Account, options: &ListHooks) -> Result<(), Failure> {
    let endpoints = app.list_endpoints(account).await?;
    if options.json {
        return print(&lines(endpoints.iter().map(endpoint_object)));
    }
    let names = ["hook", "status", "health", "url", "events", "website", "last_success", "last_failure"];
    let rows: Vec<_> = endpoints.iter().map(endpoint_row).collect();
    print(&table(names, &rows))
}

fn endpoint_row(view: &EndpointView) -> [String; 8] {
    let (state, endpoint) = (&view.state, &view.state.endpoint);
    let events: Vec<_> = endpoint.events.iter().map(|event| event.as_str()).collect();
    let status = match &state.disabled_reason {
        Some(reason) => format!("{} ({reason})", endpoint.status.as_str()),
        None => endpoint.status.as_str().to_owned(),
    };
    [
        endpoint.id.clone(),
        status,
        if view.is_failing { "failing" } else { "good" }.to_owned(),
        endpoint.url.clone(),
        events.join(","),
        text_or_empty(endpoint.website_id.as_ref()),
        text_or_empty(state.last_success_at),
        text_or_empty(state.last_failure_at),
    ]
}

fn endpoint_object(view: &EndpointView) -> Value {
    let (state, endpoint) = (&view.state, &view.state.endpoint);
    json!({
        "id": endpoint.id,
        "url": endpoint.url,
        "events": endpoint.events,
        "website_id": endpoint.website_id,
        "description": endpoint.description,
        "status": endpoint.status.as_str(),
        "disabled_reason": state.disabled_reason,
        "is_failing": view.is_failing,
        "failed_attempts": state.health.failed_attempts,
        "failing_since": state.health.failing_since,
        "include_content": endpoint.include_content,
        "created_at": endpoint.created_at,
        "last_success_at": state.last_success_at,
        "last_failure_at": state.last_failure_at,
    })
}

pub(super) async fn deliveries(app: &App, account: &Account, options: &ListDeliveries) -> Result<(), Failure> {
    let page = app.list_deliveries(account, &options.hook.id, options.limit, options.page_token.as_deref()).await?;
    if options.json {
        let next_page = page.next_page.as_ref().map(|token| json!({ "next_page": token }));
        return print(&lines(page.items.iter().map(delivery_object).chain(next_page)));
    }
    let names = ["delivery", "event", "type", "status", "attempts", "created", "next_attempt"];
    let rows: Vec<_> = page.items.iter().map(delivery_row).collect();
    let next_page = page.next_page.map(|token| format!("next_page: {token}\n")).unwrap_or_default();
    print(&(table(names, &rows) + &next_page))
}

fn delivery_row(delivery: &LoggedDelivery) -> [String; 7] {
    [
        delivery.id.clone(),
        delivery.event_id.clone(),
        delivery.event_type.as_str().to_owned(),
        delivery.status.as_str().to_owned(),
        delivery.attempts.to_string(),
        delivery.created_at.to_string(),
        text_or_empty(delivery.next_attempt_at),
    ]
}

fn delivery_object(delivery: &LoggedDelivery) -> Value {
    json!({
        "id": delivery.id,
        "event_id": delivery.event_id,
        "event_type": delivery.event_type,
        "endpoint_id": delivery.endpoint_id,
        "status": delivery.status.as_str(),
        "attempts": delivery.attempts,
        "created_at": delivery.created_at,
        "next_attempt_at": delivery.next_attempt_at,
    })
}

pub(super) async fn attempts(app: &App, account: &Account, options: &ListAttempts) -> Result<(), Failure> {
    let attempts = app.list_attempts(account, &options.delivery.delivery).await?;
    if options.json {
        return print(&lines(attempts.iter().map(attempt_object)));
    }
    let rows: Vec<_> = attempts.iter().map(attempt_row).collect();
    print(&table(["number", "kind", "started", "duration_ms", "response", "error"], &rows))
}

fn attempt_row(attempt: &LoggedAttempt) -> [String; 6] {
    [
        attempt.number.to_string(),
        attempt.kind.as_str().to_owned(),
        attempt.started_at.to_string(),
        attempt.duration_ms.to_string(),
        text_or_empty(attempt.response_status),
        text_or_empty(attempt.error.as_ref()),
    ]
}

fn attempt_object(attempt: &LoggedAttempt) -> Value {
    json!({
        "number": attempt.number,
        "kind": attempt.kind,
        "started_at": attempt.started_at,
        "duration_ms": attempt.duration_ms,
        "response_status": attempt.response_status,
        "error": attempt.error,
        "response_headers": attempt.response_headers,
        "response_head": attempt.response_head,
    })
}

/// Returns one object per line.
fn lines(objects: impl Iterator<Item = Value>) -> String {
    objects.fold(String::new(), |mut text, object| {
        let _ = writeln!(text, "{object}");
        text
    })
}
