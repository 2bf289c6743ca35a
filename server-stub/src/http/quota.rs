//! Quotas of keys and addresses, and the `RateLimit` headers that tell them (draft-ietf-httpapi-ratelimit-headers-11).

use std::net::IpAddr;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::problem::Problem;
use super::request_counter::{Count, RequestCounter};
use crate::app::{Caller, RateLimitPolicy};
use crate::domain::clock::Timestamp;
use crate::domain::key::Quota;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The server's quotas and what is used of them. A key may have quotas of its own.
#[derive(Debug)]
pub struct Quotas {
    generate: Quota,
    api: Quota,
    capture: Quota,
    generate_used: RequestCounter<String>,
    api_used: RequestCounter<String>,
    capture_used: RequestCounter<IpAddr>,
}

/// What a request was charged.
pub(super) struct Charge {
    policy: RateLimitPolicy,
    quota: Quota,
    count: Count,
}

impl Quotas {
    /// The contract's quota for `POST /generate`.
    pub const GENERATE: Quota = Quota { requests: 20, window_seconds: 60 };
    /// The contract's quota for everything else.
    pub const API: Quota = Quota { requests: 120, window_seconds: 60 };
    /// The contract's quota of lead forms, per address.
    pub const CAPTURE: Quota = Quota { requests: 10, window_seconds: 60 };

    /// Quotas for keys without their own, and for the addresses that send lead forms.
    pub fn new(generate: Quota, api: Quota, capture: Quota) -> Self {
        let (generate_used, api_used, capture_used) =
            (RequestCounter::new(), RequestCounter::new(), RequestCounter::new());
        Self { generate, api, capture, generate_used, api_used, capture_used }
    }

    /// Charges a request of `caller` to `policy`.
    pub(super) fn charge(&self, caller: &Caller, policy: RateLimitPolicy, now: Timestamp) -> Charge {
        let (own, default, used) = match policy {
            RateLimitPolicy::Generate => (caller.quotas.generate, self.generate, &self.generate_used),
            RateLimitPolicy::Api => (caller.quotas.api, self.api, &self.api_used),
        };
        let quota = own.unwrap_or(default);
        Charge { policy, quota, count: used.count(caller.key_id.as_str(), quota, now) }
    }

    /// Charges a lead form to the address it came from.
    pub(super) fn charge_capture(&self, address: IpAddr, now: Timestamp) -> Result<(), Problem> {
        let count = self.capture_used.count(&address, self.capture, now);
        if count.is_within { Ok(()) } else { Err(Problem::rate_limited("capture", count.resets_in)) }
    }
}

impl Charge {
    /// Refuses a request that exceeds its quota.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if self.count.is_within {
            Ok(())
        } else {
            Err(Problem::rate_limited(self.policy.as_str(), self.count.resets_in))
        }
    }

    /// Adds the headers that tell the quota and what is left of it.
    pub(super) fn add_headers(&self, headers: &mut HeaderMap) {
        let name = self.policy.as_str();
        let policy = format!("\"{name}\";q={};w={}", self.quota.requests, self.quota.window_seconds);
        let left = format!("\"{name}\";r={};t={}", self.count.remaining, self.count.resets_in);
        for (header, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
            headers.insert(header, HeaderValue::try_from(text).expect("names and numbers are ASCII"));
        }
    }
}
