//! Where hooks may go: not to private addresses, and over TLS only to whom a certificate vouches for.

use std::time::Duration;

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::hook_endpoints::Endpoint;
use super::requirement::{Cases, Requirement};
use super::steps_endpoints::{QUIET, arrival, release};
use super::steps_hooks::lead_hook;
use super::verdict::{Halt, Verdict, ensure};

const CONSENT: &[Capability] = &[Capability::Hooks, Capability::HookRegistration, Capability::PrivateAddresses];
const DIRECT: &[Capability] =
    &[Capability::Hooks, Capability::Capture, Capability::HookRegistration, Capability::DirectReceiver];

/// URLs that lead into somebody's own network or to a cloud's metadata, in several spellings. Loopback is not among them:
/// a target on this machine needs it for the receiver.
const PRIVATE: [&str; 14] = [
    "https://10.0.0.1/hook",
    "https://172.16.0.1/hook",
    "https://192.168.0.1/hook",
    "https://100.64.0.1/hook",
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/hook",
    "https://0.0.0.0/hook",
    "https://167772161/hook",
    "https://0x0a000001/hook",
    "https://012.0.0.1/hook",
    "https://[fd00::1]/hook",
    "https://[fe80::1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "https://[64:ff9b::a00:1]/hook",
];

/// A public host, which is never asked anything: nothing happens on the target before it is removed again. The name is
/// reserved for examples (RFC 2606).
const PLAIN: &str = "http://hooks.example.com/hook";

/// How long to wait until the target opens a connection to the address with the untrusted certificate.
const ATTEMPT: Duration = Duration::from_secs(10);

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "hooks.registration.private-addresses",
            "A URL that leads to a private address is refused when it is registered.",
            "Standard Webhooks 1.0.0, Server-side request forgery",
            private,
        )
        .should()
        .needs(CONSENT)
        .drawn("private addresses", Cases::Exactly(14), |_, draw| json!(PRIVATE[draw.index() % PRIVATE.len()])),
        Requirement::must(
            "hooks.registration.plain-http",
            "A URL that begins with http:// is refused when it is registered, unless it leads to the same machine.",
            "CloudEvents 1.0, HTTP 1.1 Web Hooks for Event Delivery",
            plain_http,
        )
        .should()
        .needs(CONSENT),
        Requirement::must(
            "hooks.delivery.untrusted-certificate",
            "Nothing is sent to a receiver whose certificate nobody vouches for.",
            "RFC 9110, section 4.3.4",
            untrusted,
        )
        .core()
        .should()
        .needs(DIRECT)
        .background(),
    ]
}

async fn private(context: Context, url: Value) -> Verdict {
    refused(&context, url.as_str().unwrap_or_default()).await
}

async fn plain_http(context: Context, _: Value) -> Verdict {
    refused(&context, PLAIN).await
}

async fn refused(context: &Context, url: &str) -> Verdict {
    let log = context.hooks()?;
    let Ok(registration) = log.endpoints().register_url(url.to_owned()).await else { return Ok(()) };
    let endpoint = Endpoint::elsewhere(registration);
    let accepted = Err(Halt::fail(format!("{url} refused"), "it was registered"));
    release(context, &endpoint, accepted).await
}

async fn untrusted(context: Context, _: Value) -> Verdict {
    let name = context.fresh("untrusted");
    let Ok(endpoint) = context.hooks()?.endpoints().register_tls(&name).await else {
        return Err(Halt::inconclusive("the target does not register the receiver's https address"));
    };
    let verdict = nothing_arrives(&context, &endpoint).await;
    release(&context, &endpoint, verdict).await
}

async fn nothing_arrives(context: &Context, endpoint: &Endpoint) -> Verdict {
    let log = context.hooks()?;
    let before = log.handshakes();
    let (marker, _) = lead_hook(context, "for the trusted only").await?;
    let attempts = log.wait_until(ATTEMPT, || log.handshakes(), |attempts| *attempts > before).await;
    let arrived = arrival(context, endpoint, &marker, QUIET).await?;
    ensure(arrived.is_empty(), "no hook over TLS with a self-signed certificate", || "one".to_owned())?;
    if attempts == before {
        return Err(Halt::inconclusive(format!("no connection within {} s", ATTEMPT.as_secs())));
    }
    Ok(())
}
