//! The hook checks against senders that are wrong in one way, and against one that is right.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

#[expect(dead_code, reason = "only a part of the fake server is needed here")]
mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_conformance::requirements::Capture;
use contentgen_conformance::runner::{
    Account, HookRegistrar, HookSetUp, Outcome, Registration, Run, Selection, Settings, Suite, Target,
};
use futures::future::{BoxFuture, FutureExt};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use support::{Fake, answer};

const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// One hook on its way, as the sender is about to sign and send it.
struct Outgoing {
    method: &'static str,
    content_type: &'static str,
    id: String,
    timestamp: i64,
    body: Vec<u8>,
    /// What is signed, `{id}.{timestamp}.{body}` when right.
    signed: fn(&Outgoing) -> Vec<u8>,
    key: Vec<u8>,
    hex: bool,
}

/// How a sender is wrong.
#[derive(Clone, Copy)]
struct Fault {
    caught_by: &'static str,
    /// Changes the hook before it is signed; `None` drops it.
    spoil: fn(Outgoing, u32) -> Option<Outgoing>,
    /// After an answer with this status: whether to send again, and whether as another event.
    again: fn(u16) -> Option<bool>,
}

#[expect(clippy::unnecessary_wraps, reason = "every sender has this type")]
fn right(outgoing: Outgoing, _: u32) -> Option<Outgoing> {
    Some(outgoing)
}

fn retries(status: u16) -> Option<bool> {
    (!(200..300).contains(&status)).then_some(false)
}

fn fault(caught_by: &'static str, spoil: fn(Outgoing, u32) -> Option<Outgoing>) -> Fault {
    Fault { caught_by, spoil, again: retries }
}

fn faults() -> Vec<Fault> {
    vec![
        fault("hooks.lead.sent", |_, _| None),
        fault("hooks.lead.burst", |outgoing, number| (number % 7 != 3).then_some(outgoing)),
        fault("hooks.request.json-post", |outgoing, _| Some(Outgoing { method: "PUT", ..outgoing })),
        fault("hooks.request.json-post", |outgoing, _| Some(Outgoing { content_type: "text/plain", ..outgoing })),
        fault("hooks.lead.text-survives", |outgoing, _| {
            let text = String::from_utf8_lossy(&outgoing.body).replace(|letter: char| !letter.is_ascii(), "?");
            Some(Outgoing { body: text.into_bytes(), ..outgoing })
        }),
        fault("hooks.signature.timestamp", |outgoing, _| {
            Some(Outgoing { timestamp: outgoing.timestamp * 1_000, ..outgoing })
        }),
        fault("hooks.signature.timestamp", |outgoing, _| {
            Some(Outgoing { timestamp: outgoing.timestamp - 900, ..outgoing })
        }),
        fault("hooks.signature.verifies", |outgoing, _| Some(Outgoing { hex: true, ..outgoing })),
        fault("hooks.signature.verifies", |outgoing, _| Some(Outgoing { key: SECRET.as_bytes().to_vec(), ..outgoing })),
        fault("hooks.signature.verifies", |outgoing, _| {
            Some(Outgoing { signed: |hook| hook.body.clone(), ..outgoing })
        }),
        fault("hooks.signature.verifies", |outgoing, _| {
            let signed = |hook: &Outgoing| {
                let value: Value = serde_json::from_slice(&hook.body).unwrap();
                [format!("{}.{}.", hook.id, hook.timestamp).into_bytes(), format!("{value:#}").into_bytes()].concat()
            };
            Some(Outgoing { signed, ..outgoing })
        }),
        fault("hooks.signature.id", |outgoing, _| Some(Outgoing { id: outgoing.id.replace('_', "."), ..outgoing })),
        fault("hooks.signature.id", |outgoing, _| Some(Outgoing { id: "evt_always".to_owned(), ..outgoing })),
        fault("hooks.payload.envelope", |outgoing, _| {
            let text = String::from_utf8_lossy(&outgoing.body).replace("lead.captured", "LeadCaptured");
            Some(Outgoing { body: text.into_bytes(), ..outgoing })
        }),
        Fault { caught_by: "hooks.retry.same-event", spoil: right, again: |status| retries(status).map(|_| true) },
        Fault {
            caught_by: "hooks.delivery.any-2xx",
            spoil: right,
            again: |status| (status != 204 && status != 200).then_some(false),
        },
    ]
}

/// Everything that needs no more than leads and a signed receiver.
const CHECKS: [&str; 8] = [
    "hooks.lead.sent",
    "hooks.lead.burst",
    "hooks.lead.text-survives",
    "hooks.request",
    "hooks.signature",
    "hooks.payload.envelope",
    "hooks.retry",
    "hooks.delivery.any-2xx",
];

fn sign(outgoing: &Outgoing) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(&outgoing.key).unwrap();
    mac.update(&(outgoing.signed)(outgoing));
    let bytes = mac.finalize().into_bytes();
    if outgoing.hex {
        bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    } else {
        format!("v1,{}", STANDARD.encode(bytes))
    }
}

/// Sends once; the status that came back.
fn deliver(url: &str, outgoing: &Outgoing) -> u16 {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "{} /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {}\r\nwebhook-id: {}\r\nwebhook-timestamp: {}\r\nwebhook-signature: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        outgoing.method,
        outgoing.content_type,
        outgoing.id,
        outgoing.timestamp,
        sign(outgoing),
        outgoing.body.len()
    );
    stream.write_all(&[head.as_bytes(), &outgoing.body].concat()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

fn hook(lead: &Value, number: u32) -> Outgoing {
    let id = format!("evt_{number}");
    let body = json!({
        "id": id, "type": "lead.captured", "timestamp": "2026-11-21T04:00:00Z", "api_version": "v1", "data": { "lead": lead },
    });
    Outgoing {
        method: "POST",
        content_type: "application/json",
        id,
        timestamp: contentgen_conformance::runner::unix_seconds(),
        body: body.to_string().into_bytes(),
        signed: |hook| [format!("{}.{}.", hook.id, hook.timestamp).into_bytes(), hook.body.clone()].concat(),
        key: STANDARD.decode(SECRET.trim_start_matches("whsec_")).unwrap(),
        hex: false,
    }
}

/// Remembers the receiver's address for the sender.
#[derive(Debug)]
struct Registrar(Arc<Mutex<String>>);

impl HookRegistrar for Registrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        *self.0.lock().unwrap() = url;
        async { Ok(Registration { id: None, secret: Some(SECRET.to_owned()) }) }.boxed()
    }

    fn remove(&self, _: Registration) -> BoxFuture<'_, Result<(), String>> {
        async { Ok(()) }.boxed()
    }
}

/// A target that does nothing but capture leads and send hooks about them.
fn sender(fault: Fault) -> Target {
    let url: Arc<Mutex<String>> = Arc::default();
    let (registered, numbers) = (Arc::clone(&url), AtomicU32::new(0));
    let fake = Fake::start(move |seen| {
        if seen.path == "/capture" {
            let lead: Value = serde_json::from_slice(&seen.body).unwrap();
            let url = registered.lock().unwrap().clone();
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            std::thread::spawn(move || send(&url, &lead, number, fault));
        }
        answer(202, &[("content-type", "application/json")], b"{}")
    });
    let account = Account { api_key: "cg_live_0123456789".to_owned(), website_id: Some("web_1".to_owned()) };
    let mut target = Target::new(&fake.base_url, account);
    target.ready_within = Duration::from_secs(5);
    target.hooks = Some(HookSetUp {
        listen: "127.0.0.1:0".to_owned(),
        public_url: "http://127.0.0.1:{port}".to_owned(),
        registrar: Some(Arc::new(Registrar(url))),
        standard_webhooks: true,
    });
    target.capture = Some(Capture {
        method: "POST".to_owned(),
        url: "{base_url}/capture".to_owned(),
        json: Some(json!({ "email": "{email}", "name": "{name}", "message": "{message}" })),
        form: None,
    });
    target
}

fn send(url: &str, lead: &Value, number: u32, fault: Fault) {
    let Some(first) = (fault.spoil)(hook(lead, number), number) else {
        return;
    };
    let status = deliver(url, &first);
    if let Some(as_another) = (fault.again)(status) {
        // The next second, so that the timestamp is a fresh one.
        std::thread::sleep(Duration::from_millis(1_100));
        let mut second = hook(lead, number);
        if as_another {
            second.id = format!("evt_again_{number}");
        }
        deliver(url, &second);
    }
}

async fn run(fault: Fault, only: Vec<String>) -> Run {
    let settings = Settings { selection: Selection { only, skip: Vec::new() }, seed: 5, ..Settings::default() };
    Suite::new(sender(fault)).with(settings).run(&|_| {}).await.unwrap()
}

#[tokio::test]
async fn a_sender_that_keeps_standard_webhooks_passes() {
    let found = run(fault("", right), CHECKS.map(ToOwned::to_owned).to_vec()).await;
    assert!(found.results.len() >= 12);
    for result in &found.results {
        assert!(matches!(result.outcome, Outcome::Passed), "{}: {:?}", result.requirement.id, result.outcome);
    }
}

#[tokio::test]
async fn each_broken_sender_is_caught_by_the_check_that_names_its_fault() {
    let runs =
        faults().into_iter().map(|fault| async move { (fault, run(fault, vec![fault.caught_by.to_owned()]).await) });
    for (number, (fault, found)) in futures::future::join_all(runs).await.into_iter().enumerate() {
        let outcome = &found.results[0].outcome;
        assert!(matches!(outcome, Outcome::Failed(_)), "sender {number}, {}: {outcome:?}", fault.caught_by);
    }
}
