//! Capabilities that a requirement may need from a target or its set-up.
//!
//! This file defines the capabilities of the runner: keys, webhooks, raw connections. The capabilities of a service are
//! defined beside its requirements. A contract's preflight detects which ones are present.

use std::fmt;

/// A feature that only some targets or set-ups have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capability {
    name: &'static str,
    absence: &'static str,
}

impl Capability {
    /// Returns a capability called `name`, a word or two with hyphens. `absence` is a clause that says why a
    /// requirement that needs it is skipped.
    pub const fn new(name: &'static str, absence: &'static str) -> Self {
        Self { name, absence }
    }

    /// Returns the reason why a requirement that needs it is skipped if it is absent.
    pub const fn absence(self) -> &'static str {
        self.absence
    }
}

impl Capability {
    /// A second account's key and website.
    pub const ISOLATION: Self = Self::new("isolation", "no second account is configured ([target.other_account])");

    /// A registered webhook receiver.
    pub const HOOKS: Self = Self::new("hooks", "no hook receiver is configured ([hooks])");

    /// A way to register and remove further endpoints.
    pub const HOOK_REGISTRATION: Self =
        Self::new("hook-registration", "hooks are registered by hand ([hooks] register and remove)");

    /// The webhook secret, for Standard Webhooks.
    pub const STANDARD_WEBHOOKS: Self = Self::new(
        "standard-webhooks",
        "no hook secret is known (the output of [hooks] register, with standard_webhooks = true)",
    );

    /// A way to register an endpoint for leads only.
    pub const HOOK_FILTER: Self =
        Self::new("hook-filter", "no command registers for leads only ([hooks] register_leads)");

    /// A way to rotate an endpoint's secret.
    pub const HOOK_ROTATION: Self = Self::new("hook-rotation", "no command rotates a secret ([hooks] rotate)");

    /// A way to send an event again.
    pub const HOOK_REDELIVERY: Self =
        Self::new("hook-redelivery", "no command sends an event again ([hooks] redeliver)");

    /// The owner's consent to registering private addresses.
    pub const PRIVATE_ADDRESSES: Self = Self::new(
        "private-addresses",
        "registering private addresses takes the owner's consent ([hooks] probe_private_addresses)",
    );

    /// A receiver that the target reaches directly, so that it can offer TLS too.
    pub const DIRECT_RECEIVER: Self = Self::new(
        "direct-receiver",
        "the target does not reach the receiver directly ([hooks] public_url with {port})",
    );

    /// A key with a small quota.
    pub const SMALL_QUOTA: Self = Self::new("limits", "no key with a small quota is configured ([target.small_quota])");

    /// A key that may only read articles.
    pub const NARROW_SCOPE: Self =
        Self::new("scopes", "no key that may only read articles is configured ([target.narrow_scope])");

    /// A key that was revoked.
    pub const REVOKED_KEY: Self = Self::new("revoked-key", "no revoked key is configured ([target.revoked_key])");

    /// A key that has expired.
    pub const EXPIRED_KEY: Self = Self::new("expired-key", "no expired key is configured ([target.expired_key])");

    /// A plain-text connection, for malformed bytes.
    pub const RAW_CONNECTION: Self =
        Self::new("raw-connection", "malformed bytes are not sent through a proxy (HTTPS_PROXY)");

    /// HTTP/1.1, the protocol of raw requests.
    pub const HTTP1: Self = Self::new("http1", "the server does not speak HTTP/1.1");
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}
