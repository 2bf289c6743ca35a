//! Faults in managing endpoints: allowed URLs, event types and secrets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::FutureExt;
use sha2::{Digest as _, Sha256};
use std::net::{Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

use super::super::fault::{Fault, fault};
use super::super::sender::signers;
use crate::hooks::{Call, Delivery, Deviation, Endpoint, sign};
use crate::memory::Memory;
use crate::message::{Request, Response};

/// Length of a secret that is too short, in bytes.
const SHORT: usize = 16;

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "hooks.private-registered",
        "The server accepts endpoints with private addresses.",
        &["hooks.registration.private-addresses"],
    )
    .registrar(|call| match call {
        // Calling it would only send attempts into a private network.
        Call::Register { url } if is_private(url) => Some(Deviation::OnlyClaimed),
        _ => None,
    }),
    fault("hooks.plain-http", "The server accepts http:// endpoints on any host.", &["hooks.registration.plain-http"])
        .registrar(|call| match call {
            Call::Register { url } if url.starts_with("http://") && is_public(url) => Some(Deviation::OnlyClaimed),
            _ => None,
        }),
    fault(
        "hooks.any-certificate",
        "The sender does not check certificates.",
        &["hooks.delivery.untrusted-certificate"],
    )
    .registrar(|call| match call {
        Call::Register { url } if url.starts_with("https://") && !is_private(url) => Some(Deviation::ProxyForTls),
        _ => None,
    })
    .delivery(|delivery| any_certificate(delivery).boxed()),
    fault("hooks.filter-ignored", "Every endpoint gets all events.", &["hooks.registration.filter"])
        .registrar(|call| (call == Call::RegisterLeads).then_some(Deviation::ForEverything)),
    fault(
        "hooks.again-unsent",
        "The server accepts a redelivery but does not send it.",
        &["hooks.delivery.redelivered"],
    )
    .registrar(|call| (call == Call::Redeliver).then_some(Deviation::OnlyClaimed)),
    fault("hooks.secret-short", "Secrets are 16 bytes long.", &["hooks.signature.secret"])
        .registrar(|call| match call {
            Call::Register { url } => Some(Deviation::OtherSecret(short_secret(url))),
            _ => None,
        })
        .hook(sign_with_short),
    fault("hooks.former-dropped", "After a rotation only the new secret signs webhooks.", &["hooks.secret.rotation"])
        .hook(|hook, endpoint, _| {
            if let [new, _, ..] = &endpoint.secrets[..] {
                keep_signatures(hook, endpoint, |secret| secret == new);
            }
        }),
    fault(
        "hooks.former-only",
        "After a rotation only the former secret signs webhooks until it ends.",
        &["hooks.secret.rotation"],
    )
    .hook(|hook, endpoint, _| {
        if let [new, _, ..] = &endpoint.secrets[..] {
            keep_signatures(hook, endpoint, |secret| secret != new);
        }
    }),
];

async fn any_certificate(delivery: Delivery) -> Response {
    if delivery.endpoint.target.starts_with("https://") {
        delivery.relay.send_trusting(&delivery.endpoint.target, delivery.request.clone()).await
    } else {
        delivery.forward().await
    }
}

/// Returns the short secret that a registration of `url` returns.
fn short_secret(url: &str) -> String {
    format!("whsec_{}", STANDARD.encode(&Sha256::digest(url)[..SHORT]))
}

/// Adds a signature with the short secret. One matching signature is enough, and an endpoint registered for leads only
/// knows the server's secret.
fn sign_with_short(hook: &mut Request, endpoint: &Endpoint, _: &Memory) {
    let former = hook.header("webhook-signature").unwrap_or_default();
    let signatures = format!("{} {former}", sign(hook, &short_secret(&endpoint.target)));
    hook.set("webhook-signature", &signatures);
}

/// Keeps only the signatures of some secrets, if there are any.
fn keep_signatures(hook: &mut Request, endpoint: &Endpoint, is_kept: impl Fn(&str) -> bool) {
    let signers = signers(hook, endpoint).into_iter().filter(|secret| is_kept(secret));
    let signatures: Vec<String> = signers.map(|secret| sign(hook, secret)).collect();
    if !signatures.is_empty() {
        hook.set("webhook-signature", &signatures.join(" "));
    }
}

/// Returns true if a URL is in a private network. This machine does not count.
fn is_private(url: &str) -> bool {
    match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => is_private_v4(address),
        Some(Host::Ipv6(address)) => {
            address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_unspecified()
                || embedded(address).is_some_and(is_private_v4)
        }
        _ => false,
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    // The last range holds carrier-grade NAT addresses (RFC 6598).
    address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || (first == 100 && (64..128).contains(&second))
}

/// Returns the IPv4 address in an IPv6 address: mapped, or translated as in RFC 6052.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = address.segments() else { return address.to_ipv4_mapped() };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}

/// Returns true if a URL is neither on this machine nor in a private network.
fn is_public(url: &str) -> bool {
    let is_here = match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => true,
    };
    !is_here && !is_private(url)
}
