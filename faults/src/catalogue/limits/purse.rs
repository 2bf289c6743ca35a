//! What a response says of a quota, getting past a spent one, and refusing as the server does.

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
/// What a refusal tells beside its body.
const TOLD: [&str; 3] = ["retry-after", POLICY, LEFT];

/// The quota that a response tells: `"name";q=quota;w=window` and `"name";r=remaining;t=seconds`.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Quota {
    /// Requests of a window.
    pub(in super::super) requests: u64,
    /// How long a window is.
    pub(in super::super) window: Duration,
    /// Requests that are left.
    pub(in super::super) left: u64,
    /// Time until the full quota is back.
    pub(in super::super) whole_in: Duration,
}

impl Quota {
    /// Of several quotas the one that is spent first.
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

/// The item of a list of quotas of which the least is left.
fn tightest(quotas: &str) -> Option<&str> {
    quotas.split(',').min_by_key(|quota| parameter(quota, "r").unwrap_or(u64::MAX))
}

/// The name of a quota: what stands before its parameters.
fn name_of(quota: &str) -> &str {
    quota.split(';').next().unwrap_or_default().trim()
}

/// The number behind `name=` in an item of a structured header (RFC 9651).
fn parameter(value: &str, name: &str) -> Option<u64> {
    let prefix = format!("{name}=");
    value.split(';').find_map(|part| part.trim().strip_prefix(&prefix)?.trim().parse().ok())
}

/// Tells that so many requests are left.
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

/// Tells what another response tells of the quota.
pub(in super::super) fn set_quota_of(response: &mut Response, other: &Response) {
    for name in [POLICY, LEFT] {
        match other.header(name) {
            Some(value) => response.set(name, value),
            None => response.remove(name),
        }
    }
}

/// Tells nothing of the quota.
pub(in super::super) fn remove_quota(response: &mut Response) {
    for name in [POLICY, LEFT] {
        response.remove(name);
    }
}

/// Whether it refuses for a spent quota. A refusal of `HEAD` has no code.
pub(in super::super) fn is_refusal(response: &Response) -> bool {
    response.status == 429 && response.code().is_none_or(|code| code == "rate_limited")
}

/// What a request is charged to: its key and policy. What has no key or no policy is not charged.
pub(in super::super) fn of_request(request: &Request) -> Option<String> {
    let policy = match request.operation()? {
        Operation::Generate => "generate",
        Operation::CaptureLead => return None,
        _ => "api",
    };
    Some(format!("{policy} of {}", request.key()?))
}

/// Forwards the request, and remembers which website its key may see.
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

/// Repeats a request that was refused for its quota with another key of the same account, and tells the quota as the refusal
/// did. Without such a key the refusal stays.
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

/// Whether a key is of an account that has a website.
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

/// Keeps a refusal for later, for so long.
pub(in super::super) fn keep(memory: &Memory, slot: &str, refusal: &Response, time: Duration) {
    let told: Vec<Option<&str>> = TOLD.iter().map(|name| refusal.header(name)).collect();
    let until = clock::now().timestamp_millis() + i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2);
    memory.put(slot, json!({ "until": until, "told": told, "body": refusal.json() }));
}

/// Refuses a request with what was kept, as long as it is kept, and says how long that is.
pub(in super::super) async fn refuse_again(exchange: &Exchange, slot: &str) -> Option<(Response, Duration)> {
    let kept = exchange.memory.get(slot)?;
    let until = DateTime::from_timestamp_millis(kept["until"].as_i64()?)?;
    let left = (until - clock::now()).to_std().ok()?;
    // What is refused for want of a key is charged to nobody, and has a request id of its own.
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
