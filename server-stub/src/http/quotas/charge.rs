//! Charges requests to quotas, and renders the `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers-11).

use std::net::IpAddr;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::leases::Leases;
use super::request_counter::RequestCounter;
use super::window::Count;
use crate::app::{Caller, Peer, RateLimitPolicy};
use crate::domain::clock::Clock;
use crate::domain::key::Quota;
use crate::domain::store::{QuotaSubject, SharedWindows};
use crate::http::problem::Problem;
use crate::metrics::Metrics;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The name of the quota of lead forms.
const CAPTURE: &str = "capture";
/// The name of the quota of pages of the hosted site.
const PAGES: &str = "pages";
/// The server's quotas and their use. A key may have separate quotas.
#[derive(Debug)]
pub struct Quotas {
    generate: Quota,
    api: Quota,
    capture: Quota,
    pages: Quota,
    generate_used: RequestCounter,
    api_used: RequestCounter,
    capture_used: RequestCounter,
    /// Counts networks larger than a /64 apart, because forms from very many /64 push each other out of a counter.
    networks_used: RequestCounter,
    pages_used: RequestCounter,
    /// Leases from windows that all processes share. Keys have separate leases: sending lead forms needs no key, so a flood
    /// of addresses must not affect keys.
    key_leases: Option<Leases>,
    address_leases: Option<Leases>,
}

/// The result of charging a request.
pub(in crate::http) struct Charge {
    policy: RateLimitPolicy,
    quota: Quota,
    count: Count,
}

impl Quotas {
    /// The contract's quota for `POST /generate`.
    pub const GENERATE: Quota = Quota { requests: 20, window_seconds: 60 };
    /// The contract's quota for all other requests.
    pub const API: Quota = Quota { requests: 120, window_seconds: 60 };
    /// The contract's quota of lead forms, per address.
    pub const CAPTURE: Quota = Quota { requests: 10, window_seconds: 60 };
    /// The contract's quota of pages of the hosted site, per address.
    pub const PAGES: Quota = Quota { requests: 600, window_seconds: 60 };

    /// Returns the quotas for keys without separate quotas, and for the addresses that send lead forms or read pages. This
    /// process counts them.
    pub fn new(generate: Quota, api: Quota, capture: Quota, pages: Quota) -> Self {
        let [generate_used, api_used, capture_used, networks_used, pages_used] =
            [(); 5].map(|()| RequestCounter::new());
        let (key_leases, address_leases) = (None, None);
        Self {
            generate,
            api,
            capture,
            pages,
            generate_used,
            api_used,
            capture_used,
            networks_used,
            pages_used,
            key_leases,
            address_leases,
        }
    }

    /// Returns the same quotas, counted together with all processes that share `windows`.
    #[must_use]
    pub fn with_windows(self, windows: Arc<dyn SharedWindows>, metrics: Arc<Metrics>) -> Self {
        let key_leases = Leases::new(Arc::clone(&windows), Arc::clone(&metrics), "keys");
        let address_leases = Leases::new(windows, metrics, "addresses");
        Self { key_leases: Some(key_leases), address_leases: Some(address_leases), ..self }
    }

    /// Charges a request of `caller` to `policy`.
    pub(in crate::http) async fn charge(&self, caller: &Caller, policy: RateLimitPolicy, clock: &dyn Clock) -> Charge {
        let (own, default, used) = match policy {
            RateLimitPolicy::Generate => (caller.quotas.generate, self.generate, &self.generate_used),
            RateLimitPolicy::Api => (caller.quotas.api, self.api, &self.api_used),
        };
        let (quota, key) = (own.unwrap_or(default), QuotaSubject::Key(caller.key_id.clone()));
        let count = match &self.key_leases {
            Some(leases) => leases.count(used, policy.as_str(), &key, quota, clock).await,
            None => used.count_alone(&key, quota, clock.steady()),
        };
        Charge { policy, quota, count }
    }

    /// Charges a lead form to the sender's address; for IPv6, to its networks. A refused form is not charged to the larger networks, so
    /// one sender cannot use up the quota of its neighbours.
    pub(in crate::http) async fn charge_capture(&self, address: IpAddr, clock: &dyn Clock) -> Result<(), Problem> {
        for (number, (subject, multiple)) in Peer(address).networks().into_iter().enumerate() {
            let used = if number == 0 { &self.capture_used } else { &self.networks_used };
            let quota = Quota { requests: self.capture.requests.saturating_mul(multiple), ..self.capture };
            let subject = QuotaSubject::Address(subject.into());
            let count = match &self.address_leases {
                Some(leases) => leases.count(used, CAPTURE, &subject, quota, clock).await,
                None => used.count_alone(&subject, quota, clock.steady()),
            };
            if !count.is_within {
                return Err(Problem::rate_limited(CAPTURE, count.resets_in));
            }
        }
        Ok(())
    }

    /// Charges a page of the hosted site to the reader's address. Each process counts alone: a lease would write to the
    /// database for each new address, and that costs more than the page.
    pub(in crate::http) fn charge_page(&self, address: IpAddr, clock: &dyn Clock) -> Result<(), Problem> {
        let [(subject, _), ..] = &Peer(address).networks()[..] else { return Ok(()) };
        let subject = QuotaSubject::Address(subject.clone().into());
        let count = self.pages_used.count_alone(&subject, self.pages, clock.steady());
        if count.is_within { Ok(()) } else { Err(Problem::rate_limited(PAGES, count.resets_in)) }
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

    /// Adds the headers with the quota and the remaining requests.
    pub(in crate::http) fn add_headers(&self, headers: &mut HeaderMap) {
        let name = self.policy.as_str();
        let policy = format!("\"{name}\";q={};w={}", self.quota.requests, self.quota.window_seconds);
        let left = format!("\"{name}\";r={};t={}", self.count.remaining, self.count.resets_in);
        for (header, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
            headers.insert(header, HeaderValue::try_from(text).expect("names and numbers are ASCII"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;
    use crate::domain::clock::Timestamp;

    /// A clock on which each reading is a millisecond later.
    #[derive(Debug, Default)]
    struct Ticking(AtomicI64);

    impl Clock for Ticking {
        fn wall(&self) -> Timestamp {
            Timestamp::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }

        fn steady(&self) -> Timestamp {
            self.wall()
        }
    }

    /// Returns quotas that allow one form for each address.
    fn one_each() -> Quotas {
        Quotas::new(Quotas::GENERATE, Quotas::API, Quota { requests: 1, window_seconds: 3600 }, Quotas::PAGES)
    }

    /// Returns which of the addresses, in this order, may still send a form if the quota is one form per address.
    async fn admitted<const N: usize>(addresses: [&str; N]) -> [bool; N] {
        let (quotas, clock) = (one_each(), Ticking::default());
        let mut admitted = [false; N];
        for (is_admitted, address) in admitted.iter_mut().zip(addresses) {
            *is_admitted = quotas.charge_capture(address.parse().unwrap(), &clock).await.is_ok();
        }
        admitted
    }

    #[tokio::test]
    async fn addresses_of_ipv6_are_counted_by_their_first_64_bits() {
        let addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1", "2001:db8:2:2::1"];
        assert_eq!(admitted(addresses).await, [true, false, true, true]);
    }

    /// Sends a form from each of the addresses and returns how many are admitted.
    async fn count_admitted(quotas: &Quotas, addresses: impl Iterator<Item = u128>) -> usize {
        let (clock, mut admitted) = (Ticking::default(), 0);
        for bits in addresses {
            let address = Ipv6Addr::from_bits(bits).into();
            admitted += usize::from(quotas.charge_capture(address, &clock).await.is_ok());
        }
        admitted
    }

    #[tokio::test]
    async fn a_site_has_few_times_the_quota_of_an_address_however_many_networks_it_sends_from() {
        // Three /48 have more /64 than the memory of this process holds windows.
        for (sites, networks, expected) in [(1, 256, 4), (3, 65_536, 48)] {
            let quotas = one_each();
            let site = |number: u128| (0x2001_0db8_0001 + number) << 80;
            let addresses = (0..sites * networks).map(|number| site(number % sites) | (number / sites) << 64);
            assert_eq!(count_admitted(&quotas, addresses).await, expected, "{sites}");
            let neighbour = (0..300).map(|number| site(9) | number << 64);
            assert_eq!(count_admitted(&quotas, neighbour).await, 8, "another site is not affected");
        }
    }

    #[tokio::test]
    async fn one_sender_uses_up_no_quota_of_its_neighbours() {
        let quotas = one_each();
        let site = 0x2001_0db8_0001_u128 << 80;
        assert_eq!(count_admitted(&quotas, std::iter::repeat_n(site, 100)).await, 1);
        assert_eq!(count_admitted(&quotas, (1..10).map(|number| site | number << 64)).await, 3);
        assert_eq!(count_admitted(&quotas, (1..100).map(|number| site | number << 72)).await, 12);
    }

    #[tokio::test]
    async fn addresses_of_ipv4_are_counted_each_however_they_are_written() {
        let addresses = ["192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1", "::ffff:192.0.2.3", "::ffff:192.0.2.3"];
        assert_eq!(admitted(addresses).await, [true, true, false, true, false]);
    }
}
