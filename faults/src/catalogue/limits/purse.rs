//! Reads and changes the quota in a response, bypasses a spent quota, and repeats the server's refusal.

use std::time::Duration;

use chrono::DateTime;
use serde_json::{Value, json};

use super::super::paging::pages::all_rows;
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

const POLICY: &str = "ratelimit-policy";
const LEFT: &str = "ratelimit";
/// Headers of a refusal.
const TOLD: [&str; 3] = ["retry-after", POLICY, LEFT];

/// Quota in a response: `"name";q=quota;w=window` and `"name";r=remaining;t=seconds`.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Quota {
    /// Number of requests in a window.
    pub(in super::super) requests: u64,
    /// Length of a window.
    pub(in super::super) window: Duration,
    /// Number of remaining requests.
    pub(in super::super) left: u64,
    /// Time until the full quota is back.
    pub(in super::super) whole_in: Duration,
}

impl Quota {
    /// Returns the quota that is spent first.
    pub(in super::super) fn of(response: &Response) -> Option<Self> {
        let (policies, left) = (response.header(POLICY)?, tightest(response.header(LEFT)?)?);
        let policy = policies.split(',').find(|policy| name_of(policy) == name_of(left))?;
        Some(Self {
            requests: parameter(policy, "q")?,
            window: Duration::from_secs(parameter(policy, "w")?),
            left: parameter(left, "r")?,
            whole_in: Duration::from_secs(parameter(left, "t").unwrap_or(0)),
        })
    }
}

/// Returns the item with the fewest remaining requests in a list of quotas.
fn tightest(quotas: &str) -> Option<&str> {
    quotas.split(',').min_by_key(|quota| parameter(quota, "r").unwrap_or(u64::MAX))
}

/// Returns the name of a quota, which comes before its parameters.
fn name_of(quota: &str) -> &str {
    quota.split(';').next().unwrap_or_default().trim()
}

/// Returns the number after `name=` in an item of a structured header (RFC 9651).
fn parameter(value: &str, name: &str) -> Option<u64> {
    let prefix = format!("{name}=");
    value.split(';').find_map(|part| part.trim().strip_prefix(&prefix)?.trim().parse().ok())
}

/// Sets the number of remaining requests.
pub(in super::super) fn set_left(response: &mut Response, left: u64) {
    response.change(LEFT, |value| {
        let tightest = tightest(value).unwrap_or_default();
        let quotas = value.split(',').map(|quota| {
            let parameters = quota.split(';').map(|part| {
                let is_left = quota == tightest && part.trim().starts_with("r=");
                if is_left { format!("r={left}") } else { part.to_owned() }
            });
            parameters.collect::<Vec<_>>().join(";")
        });
        quotas.collect::<Vec<_>>().join(",")
    });
}

/// Copies the quota of another response.
pub(in super::super) fn set_quota_of(response: &mut Response, other: &Response) {
    for name in [POLICY, LEFT] {
        match other.header(name) {
            Some(value) => response.set(name, value),
            None => response.remove(name),
        }
    }
}

/// Removes the quota headers.
pub(in super::super) fn remove_quota(response: &mut Response) {
    for name in [POLICY, LEFT] {
        response.remove(name);
    }
}

/// Returns true for a refusal because of a spent quota. A refusal of `HEAD` has no code.
pub(in super::super) fn is_refusal(response: &Response) -> bool {
    response.status == 429 && response.code().is_none_or(|code| code == "rate_limited")
}

/// Returns the policy and key to which a request is charged. Requests without either are not charged.
pub(in super::super) fn of_request(request: &Request) -> Option<String> {
    let policy = match request.operation()? {
        Operation::Generate => "generate",
        Operation::CaptureLead => return None,
        _ => "api",
    };
    Some(format!("{policy} of {}", request.key()?))
}

/// Forwards the request, and remembers the website that its key may see.
pub(in super::super) async fn forward(exchange: &Exchange) -> Response {
    let response = exchange.forward().await;
    if let Some(key) = exchange.request.key().filter(|_| response.is_success()) {
        let website_id = response.text("/website_id").or_else(|| response.text("/items/0/website_id"));
        if let Some(website_id) = website_id {
            exchange.memory.put(&format!("website of {key}"), website_id);
        }
    }
    response
}

/// Repeats a request refused for its quota with another key of the same account, and shows the quota of the refusal.
/// Without such a key, returns the refusal.
pub(in super::super) async fn beyond(exchange: &Exchange, refusal: Response) -> Response {
    let own = exchange.request.key().unwrap_or_default();
    let Some(website_id) = exchange.memory.text(&format!("website of {own}")) else { return refusal };
    for key in exchange.memory.world.keys().into_iter().filter(|key| key != own) {
        if !may_see(exchange, &key, &website_id).await {
            continue;
        }
        let mut response = exchange.send_as(&key).await;
        if !matches!(response.status, 401 | 403 | 429) {
            set_quota_of(&mut response, &refusal);
            return response;
        }
    }
    refusal
}

/// Returns true if a key may see a website.
pub(in super::super) async fn may_see(exchange: &Exchange, key: &str, website_id: &str) -> bool {
    let slot = format!("{website_id} of {key}");
    if let Some(known) = exchange.memory.get(&slot) {
        return known == true;
    }
    let websites = all_rows(exchange, "/api/v1/websites", key, &[]).await;
    let Some(websites) = websites else { return false };
    let may = websites.iter().any(|row| row["website_id"] == website_id);
    exchange.memory.put(&slot, may);
    may
}

/// Stores a refusal for a duration.
pub(in super::super) fn keep(memory: &Memory, slot: &str, refusal: &Response, time: Duration) {
    let told: Vec<Option<&str>> = TOLD.iter().map(|name| refusal.header(name)).collect();
    let until = clock::now().timestamp_millis() + i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2);
    memory.put(slot, json!({ "until": until, "told": told, "body": refusal.json() }));
}

/// Refuses a request with a stored refusal until it expires, and sets the remaining time.
pub(in super::super) async fn refuse_again(exchange: &Exchange, slot: &str) -> Option<(Response, Duration)> {
    let kept = exchange.memory.get(slot)?;
    let until = DateTime::from_timestamp_millis(kept["until"].as_i64()?)?;
    let left = (until - clock::now()).to_std().ok()?;
    // A refusal of a missing key is not charged, and gets its own request id.
    let mut response = exchange.send(Request::get("/api/v1/websites")).await;
    response.status = 429;
    response.remove("www-authenticate");
    for (name, value) in TOLD.iter().zip(kept["told"].as_array()?) {
        match value.as_str() {
            Some(value) => response.set(name, value),
            None => response.remove(name),
        }
    }
    let request_id = response.header("x-request-id").map(ToOwned::to_owned);
    response.edit(|body| {
        body.clone_from(&kept["body"]);
        if body.is_null() {
            return;
        }
        for (name, value) in [("request_id", request_id), ("instance", Some(exchange.request.public_path()))] {
            if let (Some(member), Some(value)) = (body.get_mut(name), value) {
                *member = Value::String(value);
            }
        }
    });
    Some((response, left))
}
