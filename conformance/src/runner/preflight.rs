//! Checks that a target responds, and derives the capabilities of the set-up: keys, webhooks, connections.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{UdpSocket, lookup_host};
use url::{Position, Url};

use super::contract::{Contract, Questions};
use super::raw;
use super::target::{ExtraHeader, HookSetUp, SetUpError, Target};
use super::transport::Transport;
use crate::check::{ArticleIdSource, Capability, Channel as _, Facts, Request, Secrets};
use crate::inbox::HookAbility;
use crate::spec::Profile;

/// Time within which articles are written if the set-up declares none.
const READY_WITHIN: Duration = Duration::from_mins(1);

/// The results of the preflight.
pub(super) struct Preflight {
    pub(super) facts: Facts,
    pub(super) notes: Vec<String>,
}

/// Asks the target.
pub(super) async fn ask(
    contract: &dyn Contract,
    target: &Target,
    transport: &Transport,
    profile: Profile,
    (started, run): (i64, String),
) -> Result<Preflight, SetUpError> {
    let mut notes = Vec::new();
    let probed = match transport.ask(contract.probe()).await {
        Ok(exchange) if exchange.status == 429 => {
            return Err(SetUpError::Target(format!(
                "the target at {} keeps responding 429: check whether the quota of the key is used up",
                target.base_url
            )));
        }
        Ok(exchange) if let Some(proxy) = exchange.answered_by_proxy(profile) => {
            return Err(SetUpError::Target(format!(
                "a proxy ({proxy}) in front of the target at {} responded {} itself: check that the server behind it is running, and check the base URL",
                target.base_url, exchange.status
            )));
        }
        Ok(exchange) => Some(exchange),
        Err(fault) if fault.detail.starts_with("no ") || fault.detail.contains("time-out") => {
            return Err(SetUpError::Target(format!(
                "the target at {} cannot be reached: {fault}. Check that the server is running, and check the base URL",
                target.base_url
            )));
        }
        Err(fault) => {
            notes.push(format!("the first request failed: {fault}"));
            None
        }
    };
    let mut facts = Facts {
        base_url: target.base_url.clone(),
        website_id: String::new(),
        has_publishing_slots: false,
        other_website_id: None,
        inactive_website_id: None,
        double_opt_in_website_id: None,
        restricted_website_id: None,
        failing_job: None,
        pausable: None,
        clock: None,
        eraser: None,
        restarter: None,
        writer: None,
        capabilities: declared(target),
        article_id_from: ArticleIdSource::default(),
        hook_id_pointer: String::new(),
        ready_within: target.ready_within.unwrap_or(READY_WITHIN),
        is_ready_within_declared: target.ready_within.is_some(),
        retry_within: target.hooks.as_ref().and_then(|hooks| hooks.retry_within),
        capture: None,
        own_addresses: BTreeSet::new(),
        started,
        run,
        secrets: Secrets::new(target.keys().into_iter().map(|key| key.key))
            .veiling(target.headers.iter().filter_map(ExtraHeader::secret)),
    };
    // Without TLS the HTTP client itself speaks HTTP/1.1. Raw bytes cannot pass through a proxy.
    let may_lack_http1 = !target.base_url.starts_with("http://") && target.https_proxy.is_none() && probed.is_some();
    if !may_lack_http1 || speaks_http1(target, transport, &contract.probe()).await {
        facts.capabilities.insert(Capability::HTTP1);
    } else {
        notes.push("the target does not speak HTTP/1.1: requirements that send raw bytes do not apply".to_owned());
    }
    let questions = Questions { channel: transport, profile, probed: probed.as_ref() };
    contract.preflight(target, questions, &mut facts, &mut notes).await?;
    let capture = facts.capture.as_ref().map(|capture| capture.url.as_str());
    let reached: Vec<&str> = [target.base_url.as_str()].into_iter().chain(capture).collect();
    facts.own_addresses = own_addresses(&reached).await;
    Ok(Preflight { facts, notes })
}

/// Maximum number of connections that are tried to learn whether the target speaks HTTP/1.1.
const PROBES: usize = 3;

/// Returns true if the response to `probe`, sent as raw bytes, is HTTP/1.x. A target that speaks only HTTP/2 responds with
/// a frame, refuses the TLS handshake, or closes the connection.
async fn speaks_http1(target: &Target, transport: &Transport, probe: &Request) -> bool {
    let Ok(url) = Url::parse(&format!("{}{}", target.base_url, probe.path)) else { return true };
    let (host, path) = (&url[Position::BeforeHost..Position::AfterPort], &url[Position::BeforePath..]);
    let head = format!(
        "{} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {{key}}\r\nConnection: close\r\n\r\n",
        probe.method
    );
    // A connection may break for another reason, so only a response decides at once.
    for _ in 0..PROBES {
        match transport.raw(head.clone().into_bytes(), 1, None).await {
            Ok(answer) if !answer.is_empty() => return raw::is_http1(&answer),
            _ => {}
        }
    }
    false
}

/// Returns the capabilities that the set-up declares: keys, webhooks and connections.
fn declared(target: &Target) -> BTreeSet<Capability> {
    let hooks = target.hooks.as_ref();
    let offers = |ability| {
        let registrar = hooks.and_then(|hooks| hooks.registrar.as_ref());
        registrar.is_some_and(|registrar| registrar.offers(ability))
    };
    // Raw bytes cannot pass through a proxy.
    let is_direct = target.base_url.starts_with("http://") || target.https_proxy.is_none();
    let all = [
        (Capability::ISOLATION, target.other_account.is_some()),
        (Capability::SMALL_QUOTA, target.small_quota.is_some()),
        (Capability::NARROW_SCOPE, target.narrow_scope.is_some()),
        (Capability::REVOKED_KEY, target.revoked_key.is_some()),
        (Capability::EXPIRED_KEY, target.expired_key.is_some()),
        (Capability::HOOKS, hooks.is_some()),
        (Capability::HOOK_REGISTRATION, offers(HookAbility::Remove)),
        (Capability::HOOK_FILTER, offers(HookAbility::RegisterLeads)),
        (Capability::HOOK_ROTATION, offers(HookAbility::Rotate)),
        (Capability::HOOK_REDELIVERY, offers(HookAbility::Redeliver)),
        (Capability::PRIVATE_ADDRESSES, hooks.is_some_and(|hooks| hooks.probe_private_addresses)),
        (Capability::DIRECT_RECEIVER, hooks.is_some_and(HookSetUp::is_direct)),
        (Capability::RAW_CONNECTION, is_direct),
    ];
    all.into_iter().filter_map(|(capability, is_there)| is_there.then_some(capability)).collect()
}

/// Returns the suite's own addresses towards the hosts of `urls`, to recognise the suite as a visitor. Skips hosts that cannot be reached.
/// Sends nothing: a connected UDP socket knows its own address. Behind NAT the target sees another one.
async fn own_addresses(urls: &[&str]) -> BTreeSet<IpAddr> {
    let mut own = BTreeSet::new();
    for url in urls.iter().filter_map(|url| Url::parse(url).ok()) {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = url.port_or_known_default().unwrap_or(80);
        let Ok(addresses) = lookup_host((host, port)).await else { continue };
        for address in addresses {
            own.extend(towards(address).await);
        }
    }
    own
}

async fn towards(address: SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await.ok()?;
    socket.connect(address).await.ok()?;
    Some(socket.local_addr().ok()?.ip().to_canonical())
}
