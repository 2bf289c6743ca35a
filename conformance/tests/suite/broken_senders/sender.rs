//! A server that does nothing but capture leads and send hooks about them, to every registered address.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_conformance::check::Capture;
use contentgen_conformance::runner::{Account, HookAbility, HookRegistrar, HookSetUp, Registration, Target};
use futures::future::{BoxFuture, FutureExt};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::faults::{Fault, Outgoing};
use crate::support::{Fake, answer};

pub(crate) const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// What came back; by default nothing, as from a receiver that is gone.
#[derive(Default)]
struct Answered {
    status: u16,
    retry_after: u64,
}

fn sign(outgoing: &Outgoing) -> String {
    let signed = outgoing.keys.iter().map(|key| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(&(outgoing.signed)(outgoing));
        let bytes = mac.finalize().into_bytes();
        if outgoing.hex {
            bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
        } else {
            format!("v1,{}", STANDARD.encode(bytes))
        }
    });
    signed.collect::<Vec<_>>().join(" ")
}

/// Sends over TLS, if the receiver's certificate is to be trusted.
fn deliver_over_tls(url: &str, outgoing: &Outgoing, fault: Fault) -> Answered {
    let client = reqwest::Client::builder().tls_danger_accept_invalid_certs(fault.trusts_anybody).build().unwrap();
    let request = client.post(url).header("content-type", outgoing.content_type).header("webhook-id", &outgoing.id);
    let request = request.timeout(fault.patience).body(outgoing.body.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let status = runtime.block_on(async { request.send().await }).map_or(0, |response| response.status().as_u16());
    Answered { status, retry_after: 0 }
}

/// Sends once and waits for an answer's head that long.
fn deliver(url: &str, outgoing: &Outgoing, fault: Fault) -> Answered {
    let Some(rest) = url.strip_prefix("http://") else {
        return deliver_over_tls(url, outgoing, fault);
    };
    let Fault { patience, reads_all, .. } = fault;
    let (host, path) = rest.split_once('/').unwrap();
    // A receiver may end while something is still tried again.
    let Ok(mut stream) = TcpStream::connect(host) else {
        return Answered::default();
    };
    let signature =
        if outgoing.keys.is_empty() { String::new() } else { format!("webhook-signature: {}\r\n", sign(outgoing)) };
    let head = format!(
        "{} /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {}\r\nwebhook-id: {}\r\nwebhook-timestamp: {}\r\n{signature}content-length: {}\r\nconnection: close\r\n\r\n",
        outgoing.method,
        outgoing.content_type,
        outgoing.id,
        outgoing.timestamp,
        outgoing.body.len()
    );
    if stream.write_all(&[head.as_bytes(), &outgoing.body].concat()).is_err() {
        return Answered::default();
    }
    let text = read_head(&mut stream, patience).to_lowercase();
    if reads_all {
        stream.set_read_timeout(None).unwrap();
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    }
    Answered {
        status: text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0),
        retry_after: text
            .split_once("retry-after: ")
            .and_then(|(_, rest)| rest.split("\r\n").next()?.parse().ok())
            .unwrap_or(0),
    }
}

fn read_head(stream: &mut TcpStream, patience: Duration) -> String {
    let deadline = Instant::now() + patience;
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let mut seen = Vec::new();
    let mut buffer = [0; 1024];
    while Instant::now() < deadline && !seen.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => seen.extend_from_slice(&buffer[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&seen).into_owned()
}

fn hook(lead: &Value, number: u32, secrets: &[String]) -> Outgoing {
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
        keys: secrets.iter().map(|secret| STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap()).collect(),
        hex: false,
    }
}

/// A registered address with the secrets that sign what is sent there, newest first, and the leads that were, by event.
#[derive(Debug, Clone)]
struct Endpoint {
    url: String,
    secrets: Vec<String>,
    sent: BTreeMap<String, (Value, u32)>,
}

type Endpoints = Arc<Mutex<BTreeMap<u32, Endpoint>>>;

/// Registers addresses in the sender's memory; every one has a secret of its own, the first one a known one.
#[derive(Debug)]
struct Registrar {
    endpoints: Endpoints,
    fault: Fault,
    numbers: AtomicU32,
}

fn number(registration: &Registration) -> u32 {
    registration.id.as_deref().unwrap().parse().unwrap()
}

fn secret(of: &str) -> String {
    format!("whsec_{}", STANDARD.encode(format!("a secret of {of} and of nobody else")))
}

impl HookRegistrar for Registrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        if !self.fault.takes_private && !url.contains("://127.0.0.1:") {
            return async { Err("a private address".to_owned()) }.boxed();
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let secret = if number == 0 || self.fault.one_secret { SECRET.to_owned() } else { secret(&number.to_string()) };
        let endpoint = Endpoint { url, secrets: vec![secret.clone()], sent: BTreeMap::new() };
        self.endpoints.lock().unwrap().insert(number, endpoint);
        async move { Ok(Registration { id: Some(number.to_string()), secret: Some(secret) }) }.boxed()
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        if !self.fault.keeps_removed {
            self.endpoints.lock().unwrap().remove(&number(&registration));
        }
        async { Ok(()) }.boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        ability != HookAbility::RegisterLeads
    }

    fn rotate(&self, registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        let new = secret("another time");
        let mut endpoints = self.endpoints.lock().unwrap();
        let secrets = &mut endpoints.get_mut(&number(&registration)).unwrap().secrets;
        secrets.insert(0, new.clone());
        secrets.truncate(if self.fault.forgets_former { 1 } else { 2 });
        async move { Ok(Registration { secret: Some(new), ..registration }) }.boxed()
    }

    fn redeliver(&self, registration: Registration, event: String) -> BoxFuture<'_, Result<(), String>> {
        let endpoint = self.endpoints.lock().unwrap()[&number(&registration)].clone();
        let (lead, number) = &endpoint.sent[&event];
        let mut again = hook(lead, *number, &endpoint.secrets);
        if self.fault.renames {
            again.id = format!("{event}_again");
        }
        let fault = self.fault;
        std::thread::spawn(move || deliver(&endpoint.url, &again, fault));
        async { Ok(()) }.boxed()
    }
}

/// A target that does nothing but capture leads and send hooks about them.
pub(crate) fn target(fault: Fault) -> Target {
    let endpoints = Endpoints::default();
    let (registered, numbers) = (Arc::clone(&endpoints), AtomicU32::new(0));
    let (queue, deliveries) = mpsc::channel::<(u32, Value, u32)>();
    let known = Arc::clone(&endpoints);
    let turn: Turn = Arc::default();
    std::thread::spawn(move || {
        for (endpoint, lead, number) in deliveries {
            let (known, turn) = (Arc::clone(&known), Arc::clone(&turn));
            std::thread::spawn(move || send(&known, &turn, endpoint, &lead, number, fault));
        }
    });
    let fake = Fake::start(move |seen| {
        if seen.path == "/capture" {
            let lead: Value = serde_json::from_slice(&seen.body).unwrap();
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            for endpoint in registered.lock().unwrap().keys() {
                queue.send((*endpoint, lead.clone(), number)).unwrap();
            }
        }
        answer(202, &[("content-type", "application/json")], b"{}")
    });
    let account = Account { api_key: "cg_live_0123456789".to_owned(), website_id: Some("web_1".to_owned()) };
    let mut target = Target::new(&fake.base_url, account);
    // A right one needs no such time, unless the machine is busy.
    target.ready_within = Duration::from_secs(if fault.caught_by.is_empty() { 60 } else { 5 });
    target.hooks = Some(HookSetUp {
        standard_webhooks: true,
        probe_private_addresses: true,
        ..HookSetUp::loopback(Some(Arc::new(Registrar { endpoints, fault, numbers: AtomicU32::new(0) })))
    });
    target.capture = Some(Capture {
        method: "POST".to_owned(),
        url: "{base_url}/capture".to_owned(),
        json: Some(json!({ "email": "{email}", "name": "{name}", "message": "{message}" })),
        form: None,
    });
    target
}

/// A sender with the fault `in_turn` waits for one answer at a time and so lets one receiver hold up all.
type Turn = Arc<Mutex<()>>;

fn deliver_in_turn(turn: &Turn, url: &str, outgoing: &Outgoing, fault: Fault) -> Answered {
    let _turn = fault.in_turn.then(|| turn.lock().unwrap());
    deliver(url, outgoing, fault)
}

fn send(endpoints: &Endpoints, turn: &Turn, endpoint: u32, lead: &Value, number: u32, fault: Fault) {
    let Some(Endpoint { url, secrets, .. }) = endpoints.lock().unwrap().get(&endpoint).cloned() else {
        return;
    };
    let Some(first) = (fault.spoil)(hook(lead, number, &secrets), number) else {
        return;
    };
    if let Some(known) = endpoints.lock().unwrap().get_mut(&endpoint) {
        known.sent.insert(first.id.clone(), (lead.clone(), number));
    }
    let mut answered = deliver_in_turn(turn, &url, &first, fault);
    if answered.status == 410 && !fault.ignores_gone {
        endpoints.lock().unwrap().remove(&endpoint);
        return;
    }
    // At least until the next second, so that the timestamp is a fresh one: with the same one an attempt is a copy of the one before.
    // Who hurries waits so long first that a busy machine, late by seconds, does not make two equal pauses of it.
    let pauses = if fault.hurries { [12_000, 1_100, 1_100, 1_100] } else { [1_100, 2_200, 4_400, 8_800] };
    for pause in pauses.map(Duration::from_millis) {
        let Some(as_another) = (fault.again)(answered.status) else {
            return;
        };
        let wait = if fault.ignores_wait { 0 } else { answered.retry_after };
        std::thread::sleep(pause.max(Duration::from_secs(wait)));
        // As it is now: it may have been removed meanwhile, or have another secret.
        let Some(Endpoint { secrets, .. }) = endpoints.lock().unwrap().get(&endpoint).cloned() else {
            return;
        };
        let mut again = hook(lead, number, &secrets);
        if as_another {
            again.id = format!("evt_again_{number}");
            again.body = String::from_utf8(again.body).unwrap().replace("\"evt_", "\"evt_again_").into_bytes();
        }
        answered = deliver_in_turn(turn, &url, &again, fault);
    }
}
