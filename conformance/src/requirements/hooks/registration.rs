//! Registration of endpoints: refused URLs, filters, secrets and removal.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, ensure, ensure_met};
use crate::inbox::Endpoint;
use crate::steps::endpoints::{Change, falls_silent, must_arrive, own, refused, release};
use crate::steps::hooks::{article_hook, lead_hook};
use crate::steps::jobs::{failed, failing_order};
use crate::steps::payloads::{ensure_unnamed, names};

const OWN: &[Capability] = &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION];

const CONSENT: &[Capability] = &[Capability::HOOKS, Capability::HOOK_REGISTRATION, Capability::PRIVATE_ADDRESSES];

/// URLs that lead into a private network or to the metadata of a cloud, in several spellings. Loopback is not in the list: a target on
/// this machine needs it for the receiver.
const PRIVATE: [&str; 13] = [
    "https://10.0.0.1/hook",
    "https://172.16.0.1/hook",
    "https://192.168.0.1/hook",
    "https://100.64.0.1/hook",
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/hook",
    "https://0.0.0.0/hook",
    "https://167772161/hook",
    "https://0x0a000001/hook",
    "https://[fd00::1]/hook",
    "https://[fe80::1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "https://[64:ff9b::a00:1]/hook",
];

/// A URL of a public host. No request is sent to it, because it is removed before anything happens on the target. The name is reserved
/// for examples (RFC 2606).
const PLAIN: &str = "http://hooks.example.com/hook";

/// Time in which the first retry would arrive, with its jitter.
const WATCHED: Duration = Duration::from_secs(9);

const SIGNED: &[Capability] =
    &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION, Capability::STANDARD_WEBHOOKS];

const SENT: Source = Sentence("Sent in real time to every active endpoint that chose this type and this website.");

const FILTER: &[Capability] =
    &[Capability::HOOKS, Capability::CAPTURE, Capability::HOOK_REGISTRATION, Capability::HOOK_FILTER];

const FILTER_FAILURES: &[Capability] = &[
    Capability::HOOKS,
    Capability::CAPTURE,
    Capability::HOOK_REGISTRATION,
    Capability::HOOK_FILTER,
    Capability::JOBS,
    Capability::FAILING_JOB,
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "hooks.registration.private-addresses",
            "Registering a URL that leads to a private address is refused.",
            &[
                Sentence("The service refuses an endpoint in a private network."),
                Standard("Standard Webhooks 1.0.0", "Server side request forgery (SSRF)"),
            ],
            private,
        )
        .should()
        .needs(CONSENT)
        .drawn("private addresses", Cases::Exactly(13), |_, draw| json!(PRIVATE[draw.index() % PRIVATE.len()])),
        Requirement::new(
            "hooks.registration.plain-http",
            "Registering a URL with http:// is refused, unless it leads to the same machine.",
            &[
                Sentence("The address of an endpoint is https, or http on localhost."),
                Standard("Standard Webhooks 1.0.0", "Enforcing HTTPS"),
            ],
            plain_http,
        )
        .should()
        .needs(CONSENT),
        Requirement::new(
            "hooks.registration.removed-retries",
            "A webhook that waits for a retry is not sent to an endpoint that was removed meanwhile.",
            &[SENT],
            removed_retries,
        )
        .should()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.registration.removed",
            "An endpoint gets no more webhooks 60 s after it was removed.",
            &[Fact("6"), SENT],
            removed,
        )
        .core()
        .needs(OWN)
        .background(),
        Requirement::new(
            "hooks.registration.own-secret",
            "Every endpoint has its own secret.",
            &[
                Sentence("The key is the endpoint's secret: the bytes whose base64 follows `whsec_`."),
                Standard("Standard Webhooks 1.0.0", "Signature scheme"),
            ],
            own_secret,
        )
        .should()
        .needs(SIGNED)
        .background(),
        Requirement::new(
            "hooks.registration.filter",
            "An endpoint that is registered for leads only gets no webhooks about articles.",
            &[Fact("6"), SENT, Standard("Standard Webhooks 1.0.0", "Event types")],
            filter,
        )
        .core()
        .needs(FILTER)
        .background(),
        Requirement::new(
            "hooks.registration.filter-failures",
            "An endpoint that is registered for leads only gets no webhook about a failed job.",
            &[
                Sentence("Only active endpoints that chose this type and this website receive it."),
                Sentence("Sent to every active endpoint that chose this type and this website."),
            ],
            filter_failures,
        )
        .needs(FILTER_FAILURES)
        .background(),
    ]
}

async fn private(context: Context, url: Value) -> Verdict {
    refuses_url(&context, url.as_str().unwrap_or_default()).await
}

async fn plain_http(context: Context, _: Value) -> Verdict {
    refuses_url(&context, PLAIN).await
}

async fn refuses_url(context: &Context, url: &str) -> Verdict {
    let log = context.hooks()?;
    let Ok(registration) = log.endpoints().register_url(url.to_owned()).await else {
        return registers_at_all(context).await;
    };
    let endpoint = Endpoint::elsewhere(registration);
    let accepted = Err(Halt::fail(format!("{url} refused"), "it was registered"));
    release(context, &endpoint, accepted).await
}

/// Demands that a URL of the receiver can be registered, so that the other URL was the reason of the refusal.
async fn registers_at_all(context: &Context) -> Verdict {
    let ask = async {
        let endpoint = own(context, "control").await?;
        release(context, &endpoint, Ok(())).await.map(|()| Value::Null)
    };
    context.asked_once("an address that is registered", Box::pin(ask)).await.map(drop)
}

async fn removed_retries(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "leaving").await?;
    let arrived = refused(&context, &endpoint).await;
    release(&context, &endpoint, arrived.map(drop)).await?;
    let removal = Change::now(&context);
    let log = context.hooks()?;
    let late = || log.arrived_at(&endpoint, "").into_iter().find(|hook| removal.is_before(hook));
    let late = log.wait_until(WATCHED, late, Option::is_some).await;
    ensure(late.is_none(), "nothing at a URL that was removed 3 s ago", || "a webhook".to_owned())?;
    let seems_late = log.arrived_at(&endpoint, "").iter().any(|hook| removal.seems_before(hook));
    ensure_met(!seems_late, "the machine is too slow to decide whether a webhook was sent after its URL was removed")
}

async fn removed(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "removed").await?;
    let (marker, _) = lead_hook(&context, "for both").await?;
    let arrived = must_arrive(&context, &endpoint, &marker).await.map(|_| ());
    release(&context, &endpoint, arrived).await?;
    falls_silent(&context, &endpoint, "nothing at a removed URL").await.map_err(with_doubt)
}

/// Adds a doubt about the command of the set-up: it may succeed without removing anything.
fn with_doubt(mut halt: Halt) -> Halt {
    if let Halt::Fail(finding) = &mut halt {
        finding.observed.push_str(", although [hooks] remove succeeded: does it remove what it is given?");
    }
    halt
}

async fn own_secret(context: Context, _: Value) -> Verdict {
    let endpoint = own(&context, "secret").await?;
    let differs = endpoint.registration.secret.is_some() && endpoint.registration.secret != context.hooks()?.secret();
    let verdict = ensure(differs, "another secret for another endpoint", || "the same secret, or none".to_owned());
    release(&context, &endpoint, verdict).await
}

async fn filter(context: Context, _: Value) -> Verdict {
    let endpoint = for_leads(&context).await?;
    let verdict = async {
        let (article, _) = article_hook(&context).await?;
        leads_only(&context, &endpoint, &article).await
    }
    .await;
    release(&context, &endpoint, verdict).await
}

async fn filter_failures(context: Context, _: Value) -> Verdict {
    let endpoint = for_leads(&context).await?;
    let verdict = async {
        let job = failed(&context, &failing_order(&context, false)).await?;
        leads_only(&context, &endpoint, demand::text(&job, "job_id")?).await
    }
    .await;
    release(&context, &endpoint, verdict).await
}

/// Registers an endpoint for leads only.
async fn for_leads(context: &Context) -> Result<Endpoint, Halt> {
    let name = context.fresh("leads");
    let registered = context.hooks()?.endpoints().register_leads(&name).await;
    registered.map_err(|error| Halt::Error(format!("no endpoint for leads: {error}")))
}

/// Demands that an endpoint for leads only gets a webhook about a lead, but none about the article or job `id`.
async fn leads_only(context: &Context, endpoint: &Endpoint, id: &str) -> Verdict {
    let (marker, _) = lead_hook(context, "for the URL of leads too").await?;
    must_arrive(context, endpoint, &marker).await?;
    let log = context.hooks()?;
    let about = || log.arrived_at(endpoint, id);
    let unwanted = log.wait_until(context.quiet(), about, |seen| seen.iter().any(|hook| names(hook, id)));
    ensure_unnamed(&context.waiting(unwanted).await, id, "only webhooks about leads")
}
