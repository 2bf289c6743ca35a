//! What may be registered, for what, and with which secrets: what the owner of an endpoint asks for.

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

/// How many bytes a secret has that is too short.
const SHORT: usize = 16;

pub(super) const FAULTS: &[Fault] = &[
    fault("hooks.private-registered", "Private addresses are registered.", &["hooks.registration.private-addresses"])
        .registrar(|call| match call {
            // Nothing would come of it but attempts to reach somebody's network.
            Call::Register { url } if is_private(url) => Some(Deviation::OnlyClaimed),
            _ => None,
        }),
    fault("hooks.plain-http", "http:// is registered whatever the host.", &["hooks.registration.plain-http"])
        .registrar(|call| match call {
            Call::Register { url } if url.starts_with("http://") && is_public(url) => Some(Deviation::OnlyClaimed),
            _ => None,
        }),
    fault("hooks.any-certificate", "Certificates are not checked.", &["hooks.delivery.untrusted-certificate"])
        .registrar(|call| match call {
            Call::Register { url } if url.starts_with("https://") && !is_private(url) => Some(Deviation::ProxyForTls),
            _ => None,
        })
        .delivery(|delivery| any_certificate(delivery).boxed()),
    fault("hooks.filter-ignored", "Every endpoint gets every event.", &["hooks.registration.filter"])
        .registrar(|call| (call == Call::RegisterLeads).then_some(Deviation::ForEverything)),
    fault("hooks.again-unsent", "A redelivery is promised and not made.", &["hooks.delivery.redelivered"])
        .registrar(|call| (call == Call::Redeliver).then_some(Deviation::OnlyClaimed)),
    fault("hooks.secret-short", "Secrets are 16 bytes long.", &["hooks.signature.secret"])
        .registrar(|call| match call {
            Call::Register { url } => Some(Deviation::OtherSecret(short_secret(url))),
            _ => None,
        })
        .hook(sign_with_short),
    fault("hooks.former-dropped", "After a rotation only the new secret signs.", &["hooks.secret.rotation"]).hook(
        |hook, endpoint, _| {
            if let [new, _, ..] = &endpoint.secrets[..] {
                keep_signatures(hook, endpoint, |secret| secret == new);
            }
        },
    ),
    fault(
        "hooks.former-only",
        "After a rotation the former secret signs alone until it ends.",
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

/// The secret that whoever registers `url` is told.
fn short_secret(url: &str) -> String {
    format!("whsec_{}", STANDARD.encode(&Sha256::digest(url)[..SHORT]))
}

/// Signs with the secret that was told, too: one signature that matches is enough, and an endpoint that was registered for
/// leads only was told the server's.
fn sign_with_short(hook: &mut Request, endpoint: &Endpoint, _: &Memory) {
    let former = hook.header("webhook-signature").unwrap_or_default();
    let signatures = format!("{} {former}", sign(hook, &short_secret(&endpoint.target)));
    hook.set("webhook-signature", &signatures);
}

/// Leaves the signatures of some secrets, where there are any.
fn keep_signatures(hook: &mut Request, endpoint: &Endpoint, is_kept: impl Fn(&str) -> bool) {
    let signers = signers(hook, endpoint).into_iter().filter(|secret| is_kept(secret));
    let signatures: Vec<String> = signers.map(|secret| sign(hook, secret)).collect();
    if !signatures.is_empty() {
        hook.set("webhook-signature", &signatures.join(" "));
    }
}

/// Whether a URL leads into somebody's own network; this machine is none.
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
    // The last are addresses behind a carrier (RFC 6598).
    address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || (first == 100 && (64..128).contains(&second))
}

/// The address that an IPv6 address stands for: mapped, or behind the translation of RFC 6052.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = address.segments() else { return address.to_ipv4_mapped() };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}

/// Whether a URL leads neither to this machine nor into somebody's own network.
fn is_public(url: &str) -> bool {
    let is_here = match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => true,
    };
    !is_here && !is_private(url)
}
