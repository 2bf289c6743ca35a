//! Parses the quotas in responses: `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11).

use std::time::Duration;

use sfv::{List, ListEntry, Parser};

use crate::check::Exchange;
use crate::check::header_fields::quota_number as number;

/// Maximum number of quotas in one response, and maximum length of a name: a target may send anything.
const MAX_TOLD: usize = 16;
const MAX_NAME: usize = 64;
/// A time longer than any run.
const MAX_TIME: Duration = Duration::from_hours(10_000);

/// A quota that the target announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    /// Its name, such as `generate`.
    pub name: String,
    /// Requests in one window.
    pub requests: u64,
    /// Length of a window.
    pub window: Duration,
}

impl Quota {
    /// Returns how long so many requests take.
    pub(super) fn time_for(&self, requests: f64) -> Duration {
        let allowed = f64::from(u32::try_from(self.requests).unwrap_or(u32::MAX).max(1));
        let seconds = self.window.as_secs_f64() * requests / allowed;
        Duration::from_secs_f64(seconds.min(MAX_TIME.as_secs_f64()))
    }
}

/// A quota that an exchange was charged to.
#[derive(Debug)]
pub(super) struct Charged {
    pub(super) name: String,
    /// Number of requests that are left in the window, if announced.
    pub(super) left: Option<u64>,
}

/// Returns the quotas that `RateLimit-Policy` announces.
pub(super) fn announced(exchange: &Exchange) -> Vec<Quota> {
    let quota = |(name, item): (String, sfv::Item)| {
        let (requests, window) = (number(&item, "q")?, number(&item, "w")?);
        Some(Quota { name, requests: requests.max(1), window: Duration::from_secs(window.max(1)) })
    };
    items(exchange, "ratelimit-policy").into_iter().filter_map(quota).collect()
}

/// Returns the quotas that `RateLimit` names.
pub(super) fn charged(exchange: &Exchange) -> Vec<Charged> {
    let charged = |(name, item): (String, sfv::Item)| Charged { name, left: number(&item, "r") };
    items(exchange, "ratelimit").into_iter().map(charged).collect()
}

/// Returns the items of a list header by name; the first one of a name counts.
fn items(exchange: &Exchange, header: &str) -> Vec<(String, sfv::Item)> {
    let lines: Vec<_> = exchange.headers.get_all(header).iter().map(http::HeaderValue::as_bytes).collect();
    let list = Parser::new(&lines.join(&b", "[..])).parse::<List>().unwrap_or_default();
    let named = |entry| match entry {
        ListEntry::Item(item) => Some((item.bare_item.as_string()?.as_str().to_owned(), item)),
        ListEntry::InnerList(_) => None,
    };
    let mut items: Vec<(String, sfv::Item)> = Vec::new();
    for (name, item) in list.into_iter().filter_map(named).filter(|(name, _)| name.len() <= MAX_NAME) {
        if items.len() < MAX_TOLD && items.iter().all(|(other, _)| *other != name) {
            items.push((name, item));
        }
    }
    items
}
