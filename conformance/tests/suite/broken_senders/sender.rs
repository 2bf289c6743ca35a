//! A sender in memory. It captures leads and sends webhooks about them directly into the suite's log. Its clock is paused: a minute on a
//! network takes no real time here.

#![expect(clippy::disallowed_methods, reason = "background tasks of the sender end with the test")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use contentgen_conformance::check::{Channel, Exchange, Request, TransportFault, Waits};
use contentgen_conformance::inbox::{Endpoints, HookLog, HookRequest};
use contentgen_conformance::runner::{HookAbility, HookRegistrar, Registration};
use futures::future::{BoxFuture, FutureExt, ready};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::time::{Instant, sleep};

use super::faults::{Fault, Outgoing};
use crate::support::delivery::{Answered, deliver, path_of};

pub(crate) const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// Seconds before a retry after a sign of overload.
const OVERLOAD_PAUSE: u64 = 60;

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

fn hook(lead: &Value, number: u32, secrets: &[String], timestamp: i64) -> Outgoing {
    let id = format!("evt_{number}");
    let body = json!({
        "id": id, "type": "lead.captured", "timestamp": "2026-11-21T04:00:00Z", "api_version": "v1", "data": { "lead": lead },
    });
    Outgoing {
        method: "POST",
        content_type: "application/json",
        id,
        timestamp,
        body: body.to_string().into_bytes(),
        signed: |hook| [format!("{}.{}.", hook.id, hook.timestamp).into_bytes(), hook.body.clone()].concat(),
        keys: secrets.iter().map(|secret| STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap()).collect(),
        hex: false,
    }
}

/// A registered address with its signing secrets, newest first, and the sent leads by event.
#[derive(Debug, Clone)]
struct Endpoint {
    url: String,
    secrets: Vec<String>,
    sent: BTreeMap<String, (Value, u32)>,
}

fn number(registration: &Registration) -> u32 {
    registration.id.as_deref().unwrap().parse().unwrap()
}

fn secret(of: &str) -> String {
    format!("whsec_{}", STANDARD.encode(format!("a secret of {of} and of nobody else")))
}

/// The sender, and its access to the suite's log.
pub(crate) struct Sender {
    fault: Fault,
    endpoints: Mutex<BTreeMap<u32, Endpoint>>,
    registrations: AtomicU32,
    leads: AtomicU32,
    /// Held during a delivery with the fault `in_turn`, so that one receiver delays all others.
    turn: tokio::sync::Mutex<()>,
    log: OnceLock<Arc<HookLog>>,
    /// The Unix second and the instant at which the paused clock started.
    started: i64,
    begun: Instant,
}

impl Sender {
    /// Starts a sender with the log that it fills. The address under test is registered.
    pub(crate) async fn start(fault: Fault) -> (Arc<Self>, Arc<HookLog>) {
        let sender = Arc::new(Self {
            fault,
            endpoints: Mutex::default(),
            registrations: AtomicU32::new(0),
            leads: AtomicU32::new(0),
            turn: tokio::sync::Mutex::default(),
            log: OnceLock::new(),
            started: contentgen_conformance::runner::unix_seconds(),
            begun: Instant::now(),
        });
        let url = "http://127.0.0.1:1/hooks/1".to_owned();
        let registrar: Arc<dyn HookRegistrar> = Arc::new(Registrar(Arc::clone(&sender)));
        let tls_url = "https://127.0.0.1:2/hooks/1".to_owned();
        let log = Arc::new(HookLog::new(Endpoints::new(url.clone(), Some(tls_url), Some(registrar))));
        assert!(sender.log.set(Arc::clone(&log)).is_ok());
        let registered = log.endpoints().register_url(url).await.unwrap();
        log.set_secret(registered.secret);
        (sender, log)
    }

    /// Returns the seconds since the Unix epoch by the paused clock.
    fn unix_second(&self) -> i64 {
        self.started + i64::try_from((Instant::now() - self.begun).as_secs()).unwrap()
    }

    fn endpoint(&self, number: u32) -> Option<Endpoint> {
        self.endpoints.lock().unwrap().get(&number).cloned()
    }

    fn captured(self: &Arc<Self>, lead: &Value) {
        let number = self.leads.fetch_add(1, Ordering::Relaxed);
        let endpoints: Vec<u32> = self.endpoints.lock().unwrap().keys().copied().collect();
        for endpoint in endpoints {
            let (sender, lead) = (Arc::clone(self), lead.clone());
            tokio::spawn(async move { sender.send(endpoint, &lead, number).await });
        }
    }

    async fn send(&self, endpoint: u32, lead: &Value, number: u32) {
        let fault = self.fault;
        let Some(Endpoint { url, secrets, .. }) = self.endpoint(endpoint) else {
            return;
        };
        let Some(first) = (fault.spoil)(hook(lead, number, &secrets, self.unix_second()), number) else {
            return;
        };
        if let Some(known) = self.endpoints.lock().unwrap().get_mut(&endpoint) {
            known.sent.insert(first.id.clone(), (lead.clone(), number));
        }
        let mut answered = self.deliver_in_turn(&url, &first).await;
        if answered.status == 410 && !fault.ignores_gone {
            self.endpoints.lock().unwrap().remove(&endpoint);
            return;
        }
        // Each pause is over a second, so that every attempt has a new timestamp. With the same timestamp it would be a copy of the last
        // one.
        let pauses = if fault.hurries { [6_000, 1_100, 1_100, 1_100] } else { [1_100, 2_200, 4_400, 8_800] };
        for pause in pauses.map(Duration::from_millis) {
            let Some(as_another) = (fault.again)(answered.status) else {
                return;
            };
            let is_overloaded = matches!(answered.status, 429 | 502 | 504);
            let asked = match answered.date_behind {
                _ if is_overloaded => OVERLOAD_PAUSE,
                Some(_) if fault.reads_no_date => 0,
                Some(behind) if fault.uses_own_clock => answered.retry_after.saturating_sub(behind),
                _ => answered.retry_after,
            };
            let wait = if fault.ignores_wait { 0 } else { asked };
            sleep(pause.max(Duration::from_secs(wait))).await;
            // Read the endpoint again: it may have been removed or have a new secret.
            let Some(Endpoint { secrets, .. }) = self.endpoint(endpoint) else {
                return;
            };
            let mut again = hook(lead, number, &secrets, self.unix_second());
            if as_another {
                again.id = format!("evt_again_{number}");
                again.body = String::from_utf8(again.body).unwrap().replace("\"evt_", "\"evt_again_").into_bytes();
            }
            answered = self.deliver_in_turn(&url, &again).await;
        }
    }

    async fn deliver_in_turn(&self, url: &str, outgoing: &Outgoing) -> Answered {
        let _turn = if self.fault.in_turn { Some(self.turn.lock().await) } else { None };
        self.deliver(url, outgoing).await
    }

    /// Sends once, and waits for a response up to the sender's time limit.
    async fn deliver(&self, url: &str, outgoing: &Outgoing) -> Answered {
        let log = self.log.get().unwrap();
        if url.starts_with("https://") {
            log.record_handshake();
            if !self.fault.trusts_anybody {
                return Answered::default();
            }
        }
        let request = HookRequest {
            method: outgoing.method.to_owned(),
            path: path_of(url),
            headers: headers(outgoing),
            body: Bytes::from(outgoing.body.clone()),
            arrived: Instant::now(),
            arrived_unix: self.unix_second(),
            answered: 0,
        };
        deliver(log, request, self.fault.patience, self.fault.reads_all).await
    }
}

fn headers(outgoing: &Outgoing) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut add = |name: &'static str, value: &str| headers.insert(name, HeaderValue::from_str(value).unwrap());
    add("content-type", outgoing.content_type);
    add("webhook-id", &outgoing.id);
    add("webhook-timestamp", &outgoing.timestamp.to_string());
    if !outgoing.keys.is_empty() {
        add("webhook-signature", &sign(outgoing));
    }
    headers
}

/// Registers addresses in the sender's memory. Each gets a different secret. The suite has the first secret already.
struct Registrar(Arc<Sender>);

impl std::fmt::Debug for Registrar {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Registrar")
    }
}

impl HookRegistrar for Registrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        let fault = self.0.fault;
        if !fault.takes_private && !url.contains("://127.0.0.1:") {
            return ready(Err("a private address".to_owned())).boxed();
        }
        let number = self.0.registrations.fetch_add(1, Ordering::Relaxed);
        let secret = if number == 0 || fault.one_secret { SECRET.to_owned() } else { secret(&number.to_string()) };
        let endpoint = Endpoint { url, secrets: vec![secret.clone()], sent: BTreeMap::new() };
        self.0.endpoints.lock().unwrap().insert(number, endpoint);
        ready(Ok(Registration { id: Some(number.to_string()), secret: Some(secret) })).boxed()
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        if !self.0.fault.keeps_removed {
            self.0.endpoints.lock().unwrap().remove(&number(&registration));
        }
        ready(Ok(())).boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        ability != HookAbility::RegisterLeads
    }

    fn rotate(&self, registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        let new = secret("another time");
        let mut endpoints = self.0.endpoints.lock().unwrap();
        let secrets = &mut endpoints.get_mut(&number(&registration)).unwrap().secrets;
        secrets.insert(0, new.clone());
        secrets.truncate(if self.0.fault.forgets_former { 1 } else { 2 });
        ready(Ok(Registration { secret: Some(new), ..registration })).boxed()
    }

    fn redeliver(&self, registration: Registration, event: String) -> BoxFuture<'_, Result<(), String>> {
        let endpoint = self.0.endpoint(number(&registration)).unwrap();
        let (lead, number) = &endpoint.sent[&event];
        let mut again = hook(lead, *number, &endpoint.secrets, self.0.unix_second());
        if self.0.fault.renames {
            again.id = format!("{event}_again");
        }
        let sender = Arc::clone(&self.0);
        tokio::spawn(async move { sender.deliver(&endpoint.url, &again).await });
        ready(Ok(())).boxed()
    }
}

/// Requests to the sender: each POST captures a lead, and each GET returns the time by the paused clock.
pub(crate) struct Front(pub(crate) Arc<Sender>);

impl std::fmt::Debug for Front {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Front")
    }
}

impl Channel for Front {
    fn exchange<'a>(&'a self, request: Request, _: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        if request.method == "GET" {
            let now = chrono::DateTime::from_timestamp(self.0.unix_second(), 0).unwrap();
            let date = HeaderValue::from_str(&now.format("%a, %d %b %Y %H:%M:%S GMT").to_string()).unwrap();
            let headers = HeaderMap::from_iter([(http::header::DATE, date)]);
            return ready(Ok(Exchange::new(request, 404, headers, Bytes::new(), Duration::ZERO))).boxed();
        }
        self.0.captured(&serde_json::from_slice(request.body.as_deref().unwrap_or_default()).unwrap());
        ready(Ok(Exchange::new(request, 202, HeaderMap::new(), Bytes::from_static(b"{}"), Duration::ZERO))).boxed()
    }

    fn raw(&self, _: Vec<u8>, _: usize, _: Option<Duration>) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        ready(Err(TransportFault::new("it reads no raw bytes"))).boxed()
    }
}
