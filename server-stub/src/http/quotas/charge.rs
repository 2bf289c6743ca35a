//! Who is charged for a request, and the `RateLimit` headers that tell it (draft-ietf-httpapi-ratelimit-headers-11).

use std::net::IpAddr;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::leases::Leases;
use super::request_counter::RequestCounter;
use super::window::Count;
use crate::app::{Caller, RateLimitPolicy};
use crate::domain::clock::Clock;
use crate::domain::key::Quota;
use crate::domain::store::QuotaWindows;
use crate::http::problem::Problem;
use crate::metrics::Metrics;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The name of the quota of lead forms.
const CAPTURE: &str = "capture";

/// The server's quotas and what is used of them. A key may have quotas of its own.
#[derive(Debug)]
pub struct Quotas {
    generate: Quota,
    api: Quota,
    capture: Quota,
    generate_used: RequestCounter<String>,
    api_used: RequestCounter<String>,
    capture_used: RequestCounter<IpAddr>,
    /// Where other processes count in the same windows.
    leases: Option<Leases>,
}

/// What a request was charged.
pub(in crate::http) struct Charge {
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

    /// Quotas for keys without their own, and for the addresses that send lead forms. They are counted in this process.
    pub fn new(generate: Quota, api: Quota, capture: Quota) -> Self {
        let (generate_used, api_used, capture_used) =
            (RequestCounter::new(), RequestCounter::new(), RequestCounter::new());
        Self { generate, api, capture, generate_used, api_used, capture_used, leases: None }
    }

    /// The same quotas, counted together with all processes that share `windows`, if these are shared.
    #[must_use]
    pub fn with_windows(self, windows: Arc<dyn QuotaWindows>, metrics: Arc<Metrics>) -> Self {
        if windows.shared_windows().is_none() {
            return self;
        }
        Self { leases: Some(Leases::new(windows, metrics)), ..self }
    }

    /// Charges a request of `caller` to `policy`.
    pub(in crate::http) async fn charge(&self, caller: &Caller, policy: RateLimitPolicy, clock: &dyn Clock) -> Charge {
        let (own, default, used) = match policy {
            RateLimitPolicy::Generate => (caller.quotas.generate, self.generate, &self.generate_used),
            RateLimitPolicy::Api => (caller.quotas.api, self.api, &self.api_used),
        };
        let (quota, key_id) = (own.unwrap_or(default), caller.key_id.as_str());
        let count = match &self.leases {
            Some(leases) => leases.count(used, policy.as_str(), key_id, quota, clock).await,
            None => used.count_alone(key_id, quota, clock.steady()),
        };
        Charge { policy, quota, count }
    }

    /// Charges a lead form to the address it came from.
    pub(in crate::http) async fn charge_capture(&self, address: IpAddr, clock: &dyn Clock) -> Result<(), Problem> {
        let (quota, used) = (self.capture, &self.capture_used);
        let count = match &self.leases {
            Some(leases) => leases.count(used, CAPTURE, &address, quota, clock).await,
            None => used.count_alone(&address, quota, clock.steady()),
        };
        if count.is_within { Ok(()) } else { Err(Problem::rate_limited(CAPTURE, count.resets_in)) }
    }
}

impl Charge {
    /// Refuses a request that exceeds its quota.
    pub(in crate::http) fn check(&self) -> Result<(), Problem> {
        if self.count.is_within {
            Ok(())
        } else {
            Err(Problem::rate_limited(self.policy.as_str(), self.count.resets_in))
        }
    }

    /// Adds the headers that tell the quota and what is left of it.
    pub(in crate::http) fn add_headers(&self, headers: &mut HeaderMap) {
        let name = self.policy.as_str();
        let policy = format!("\"{name}\";q={};w={}", self.quota.requests, self.quota.window_seconds);
        let left = format!("\"{name}\";r={};t={}", self.count.remaining, self.count.resets_in);
        for (header, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
            headers.insert(header, HeaderValue::try_from(text).expect("names and numbers are ASCII"));
        }
    }
}
