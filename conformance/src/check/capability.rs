//! What a requirement may need from a target or its set-up.
//!
//! Detecting what is there lives in `runner::preflight`.

use std::fmt;

/// Something that not every target or set-up has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// The job operations.
    Jobs,
    /// Lists of articles.
    Articles,
    /// The scheduled posts pipeline.
    Pipeline,
    /// The lead operations.
    Leads,
    /// The list of websites.
    Websites,
    /// A second account's key and website.
    Isolation,
    /// A way to capture a lead.
    Capture,
    /// The lead form that the document describes.
    LeadForm,
    /// A registered hook receiver.
    Hooks,
    /// A way to register and remove further endpoints.
    HookRegistration,
    /// The hook's secret, for Standard Webhooks.
    StandardWebhooks,
    /// A way to register an endpoint for leads only.
    HookFilter,
    /// A way to rotate an endpoint's secret.
    HookRotation,
    /// A way to have an event sent again.
    HookRedelivery,
    /// The owner's consent to registering private addresses.
    PrivateAddresses,
    /// A receiver that the target reaches directly, so that it can be offered TLS too.
    DirectReceiver,
    /// A key with a small quota.
    SmallQuota,
    /// A key that may read articles and nothing else.
    NarrowScope,
    /// A website that is paused or archived.
    InactiveWebsite,
    /// A plain-text connection, for malformed bytes.
    RawConnection,
}

impl Capability {
    /// Why a requirement that needs it is skipped where it is absent.
    pub fn absence(self) -> &'static str {
        match self {
            Self::Jobs => "the target has no job operations",
            Self::Articles => "the target lists no articles",
            Self::Pipeline => "the target has no scheduled posts operation",
            Self::Leads => "the target has no lead operations",
            Self::Websites => "the target lists no websites",
            Self::Isolation => "no second account is configured ([target.other_account])",
            Self::Capture => "no way to capture a lead is configured ([leads])",
            Self::LeadForm => "leads are not captured at {base_url}/capture/{website_id} ([leads] capture)",
            Self::Hooks => "no hook receiver is configured ([hooks])",
            Self::HookRegistration => "hooks are registered by hand ([hooks] register and remove)",
            Self::StandardWebhooks => {
                "no hook secret is known (the output of [hooks] register, with standard_webhooks = true)"
            }
            Self::HookFilter => "no command registers for leads only ([hooks] register_leads)",
            Self::HookRotation => "no command rotates a secret ([hooks] rotate)",
            Self::HookRedelivery => "no command sends an event again ([hooks] redeliver)",
            Self::PrivateAddresses => {
                "registering private addresses takes the owner's consent ([hooks] probe_private_addresses)"
            }
            Self::DirectReceiver => "the target does not reach the receiver directly ([hooks] public_url with {port})",
            Self::SmallQuota => "no key with a small quota is configured ([target.small_quota])",
            Self::NarrowScope => "no key that may only read articles is configured ([target.narrow_scope])",
            Self::InactiveWebsite => "no paused website is configured ([target] inactive_website_id)",
            Self::RawConnection => "malformed bytes are not sent through a proxy (HTTPS_PROXY)",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Jobs => "jobs",
            Self::Articles => "articles",
            Self::Pipeline => "pipeline",
            Self::Leads => "leads",
            Self::Websites => "websites",
            Self::Isolation => "isolation",
            Self::Capture => "capture",
            Self::LeadForm => "lead-form",
            Self::Hooks => "hooks",
            Self::HookRegistration => "hook-registration",
            Self::StandardWebhooks => "standard-webhooks",
            Self::HookFilter => "hook-filter",
            Self::HookRotation => "hook-rotation",
            Self::HookRedelivery => "hook-redelivery",
            Self::PrivateAddresses => "private-addresses",
            Self::DirectReceiver => "direct-receiver",
            Self::SmallQuota => "limits",
            Self::NarrowScope => "scopes",
            Self::InactiveWebsite => "inactive-website",
            Self::RawConnection => "raw-connection",
        })
    }
}
