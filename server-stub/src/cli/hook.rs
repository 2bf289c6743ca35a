//! `hook`: registers and manages endpoints, shows their deliveries and sends them again.

use serde_json::{Value, json};

use super::database::open_account;
use super::failure::{Exit, Failure};
use super::output::{json_lines, print, table, text_or_empty};
use crate::app::{App, EndpointView, HookSettings};
use crate::config::{CreateHook, DeliverySelector, Hook, HookAddresses, List, ListAttempts, ListDeliveries};
use crate::domain::account::Account;
use crate::domain::delivery::{LoggedAttempt, LoggedDelivery};
use crate::domain::event::EventType;
use crate::hooks::AddressPolicy;

pub(super) async fn run(command: Hook) -> Result<(), Failure> {
    let policy = match &command {
        Hook::Create(options) => policy_of(&options.addresses)?,
        _ => AddressPolicy::allow_loopback(),
    };
    let (app, account) = open_account(command.owner()).await?;
    let (app, account) = (&app.with_hook_policy(policy), &account);
    let account = &account;
    match command {
        Hook::Create(options) => create(app, account, options).await,
        Hook::List(options) => list(app, account, &options).await,
        Hook::Deliveries(options) => deliveries(app, account, &options).await,
        Hook::Attempts(options) => attempts(app, account, &options).await,
        Hook::Rotate(options) => {
            let id = &options.hook.id;
            let rotated = app.rotate_secret(account, id, options.overlap()).await?;
            let (secret, until) = (rotated.secret.reveal(), rotated.overlap_until);
            print(&format!("hook: {id}\nsecret: {secret}\nformer_secret_until: {until}\n"))
        }
        Hook::Reveal(options) => {
            let secret = app.reveal_secret(account, &options.id).await?;
            print(&format!("hook: {}\nsecret: {}\n", options.id, secret.reveal()))
        }
        Hook::Pause(options) => {
            app.pause_endpoint(account, &options.id).await?;
            print(&format!("hook: {}\nstatus: paused\n", options.id))
        }
        Hook::Resume(options) => {
            app.resume_endpoint(account, &options.id).await?;
            print(&format!("hook: {}\nstatus: active\n", options.id))
        }
        Hook::Remove(options) => {
            app.remove_endpoint(account, &options.id).await?;
            print(&format!("removed: {}\n", options.id))
        }
        Hook::Test(options) => {
            let delivery_id = app.send_test(account, &options.id).await?;
            print(&format!("hook: {}\ndelivery: {delivery_id}\n", options.id))
        }
        Hook::Redeliver(options) => {
            let delivery = match options.which {
                DeliverySelector { delivery: Some(delivery), .. } => {
                    app.redeliver(account, &delivery).await?;
                    delivery
                }
                DeliverySelector { id, event, .. } => {
                    let (id, event) = (id.unwrap_or_default(), event.unwrap_or_default());
                    app.redeliver_event(account, &id, &event).await?
                }
            };
            print(&format!("delivery: {delivery}\nstatus: pending\n"))
        }
        Hook::Recover(options) => {
            let recovered = app.recover(account, &options.hook.id, options.since).await?;
            print(&format!("hook: {}\nrecovered: {recovered}\n", options.hook.id))
        }
    }
}

async fn create(app: &App, account: &Account, options: CreateHook) -> Result<(), Failure> {
    let wanted = HookSettings {
        url: options.url,
        events: if options.events.is_empty() { EventType::DEFAULT.to_vec() } else { options.events },
        website_id: options.website,
        include_content: options.include_content,
        description: options.description,
    };
    let endpoint = app.create_hook(account, wanted).await?;
    let events: Vec<_> = endpoint.events.iter().map(|event| event.as_str()).collect();
    if options.json {
        let made = json!({ "id": endpoint.id, "secret": endpoint.secret.reveal(), "events": events });
        return print(&format!("{made}\n"));
    }
    print(&format!("hook: {}\nsecret: {}\nevents: {}\n", endpoint.id, endpoint.secret.reveal(), events.join(", ")))
}

async fn list(app: &App, account: &Account, options: &List) -> Result<(), Failure> {
    let endpoints = app.list_endpoints(account).await?;
    if options.json {
        return print(&json_lines(endpoints.iter().map(endpoint_object)));
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

async fn deliveries(app: &App, account: &Account, options: &ListDeliveries) -> Result<(), Failure> {
    let page = app.list_deliveries(account, &options.hook.id, options.limit, options.page_token.as_deref()).await?;
    if options.json {
        let next_page = page.next_page.as_ref().map(|token| json!({ "next_page": token }));
        return print(&json_lines(page.items.iter().map(delivery_object).chain(next_page)));
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

async fn attempts(app: &App, account: &Account, options: &ListAttempts) -> Result<(), Failure> {
    let attempts = app.list_attempts(account, &options.delivery).await?;
    if options.json {
        return print(&json_lines(attempts.iter().map(attempt_object)));
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

/// Refuses a list that is too long.
pub(super) fn check_listed(addresses: &HookAddresses) -> Result<(), Failure> {
    if addresses.listed.len() > AddressPolicy::MAX_LISTED {
        let message = format!(
            "--hook-allow-cidr has {} networks, at most {} are allowed; merge adjacent networks",
            addresses.listed.len(),
            AddressPolicy::MAX_LISTED
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

/// Returns the addresses that a command may register: public addresses, this machine, and the operator's list.
pub(super) fn policy_of(addresses: &HookAddresses) -> Result<AddressPolicy, Failure> {
    check_listed(addresses)?;
    let listed = addresses.listed.iter().copied();
    Ok(AddressPolicy::with_listed(AddressPolicy::loopback().into_iter().chain(listed)))
}
