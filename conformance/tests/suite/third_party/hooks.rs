//! The vendor's webhooks: different field names in payloads, at most two attempts, several addresses.

#![expect(clippy::disallowed_methods, reason = "what the vendor does in the background ends with the test")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::inbox::{HookLog, HookRequest};
use contentgen_conformance::runner::{HookAbility, HookRegistrar, Registration};
use futures::future::{BoxFuture, FutureExt};
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::vendor::{Fault, KEY, SITE};
use crate::support::delivery::{deliver, path_of};

/// Maximum number of attempts.
const ATTEMPTS: u32 = 2;
/// Time limit for a response.
const PATIENCE: Duration = Duration::from_secs(20);

/// The receivers of webhooks, and the way to send to them.
pub(crate) struct HookDashboard {
    fault: Fault,
    way: Way,
    /// Each address, and whether it receives only leads.
    urls: Mutex<BTreeMap<u64, (String, bool)>>,
    numbers: AtomicU64,
}

/// Transport of webhooks to the suite.
#[derive(Clone)]
enum Way {
    Network(reqwest::Client),
    Memory(Arc<OnceLock<Arc<HookLog>>>),
}

impl Way {
    /// Sends a webhook once. Returns true if it was accepted.
    async fn send(&self, url: &str, body: &str) -> bool {
        match self {
            Self::Network(client) => {
                let request = client
                    .post(url)
                    .header("content-type", "application/json")
                    .header("x-haus-token", "geheim")
                    .timeout(PATIENCE)
                    .body(body.to_owned());
                request.send().await.is_ok_and(|answer| answer.status().is_success())
            }
            Self::Memory(log) => {
                let log = log.get().unwrap();
                if url.starts_with("https://") {
                    // The vendor rejects every certificate.
                    log.record_handshake();
                    return false;
                }
                let headers = [("content-type", "application/json"), ("x-haus-token", "geheim")];
                let headers =
                    headers.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
                let hook = HookRequest {
                    method: "POST".to_owned(),
                    path: path_of(url),
                    headers: headers.into_iter().collect(),
                    body: Bytes::from(body.to_owned()),
                    arrived: Instant::now(),
                    arrived_unix: 0,
                    answered: 0,
                };
                (200..300).contains(&deliver(log, hook, PATIENCE, false).await.status)
            }
        }
    }
}

impl HookDashboard {
    /// Returns a dashboard that passes webhooks to the log of the next run.
    pub(crate) fn in_memory(fault: Fault) -> Self {
        Self { fault, way: Way::Memory(Arc::default()), urls: Mutex::default(), numbers: AtomicU64::new(0) }
    }

    /// Returns the slot for the log of the run.
    pub(crate) fn log(&self) -> Option<&Arc<OnceLock<Arc<HookLog>>>> {
        match &self.way {
            Way::Network(_) => None,
            Way::Memory(log) => Some(log),
        }
    }

    pub(crate) fn new(fault: Fault) -> Self {
        // Another part of the process may have installed a provider. Either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            // It trusts no certificate, so it needs no certificates of the machine.
            .tls_certs_only([])
            .build()
            .unwrap();
        Self { fault, way: Way::Network(client), urls: Mutex::default(), numbers: AtomicU64::new(0) }
    }

    pub(crate) fn lead(&self, site: &str, fields: &BTreeMap<String, String>) {
        if self.fault == Fault::NoLeadHook || site != SITE {
            return;
        }
        let mut text = fields["was"].clone();
        if self.fault == Fault::LatinText {
            text.retain(|letter| (letter as u32) < 256);
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut told = json!({ "anlass": "Kontakt", "kontakt": { "post": fields["adresse"], "von": fields["wer"], "text": text } });
        match self.fault {
            Fault::KeyInHook => told["konto"] = json!(KEY),
            Fault::ChangingTypes if number % 2 == 1 => told["kontakt"]["von"] = json!(7),
            Fault::SameKinds => {
                let text = told["kontakt"].to_string();
                told = json!({ "anlass": "etwas", "nachricht": text, "artikel": { "nummer": number.to_string() } });
            }
            _ => {}
        }
        self.tell(&told, |_| true);
    }

    pub(crate) fn article(&self, id: &str) {
        let told = match self.fault {
            Fault::NoArticleHook => return,
            Fault::SameKinds => json!({ "anlass": "etwas", "nachricht": "", "artikel": { "nummer": id } }),
            Fault::KeyInHook => json!({ "artikel": { "nummer": id }, "konto": KEY }),
            _ => json!({ "anlass": "Artikel", "artikel": { "nummer": id } }),
        };
        self.tell(&told, |leads_only| !leads_only || self.fault == Fault::FilterIgnored);
    }

    fn tell(&self, told: &Value, is_for: impl Fn(bool) -> bool) {
        let urls = self.urls.lock().unwrap().clone();
        for (url, _) in urls.into_values().filter(|(_, leads_only)| is_for(*leads_only)) {
            let (way, body) = (self.way.clone(), told.to_string());
            tokio::spawn(async move {
                for _ in 0..ATTEMPTS {
                    if way.send(&url, &body).await {
                        return;
                    }
                }
            });
        }
    }
}

/// Registers addresses with the vendor.
pub(crate) struct Registrar(pub(crate) Arc<HookDashboard>);

impl std::fmt::Debug for Registrar {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Registrar")
    }
}

impl Registrar {
    fn add(&self, url: &str, leads_only: bool) -> Registration {
        let number = self.0.numbers.fetch_add(1, Ordering::Relaxed);
        // The vendor's tunnel strips this prefix.
        self.0.urls.lock().unwrap().insert(number, (url.replace("/behind/a/tunnel", ""), leads_only));
        Registration { id: Some(number.to_string()), secret: None }
    }
}

impl HookRegistrar for Registrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        let added = self.add(&url, false);
        async move { Ok(added) }.boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        matches!(ability, HookAbility::Remove | HookAbility::RegisterLeads)
    }

    fn register_leads(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        let added = self.add(&url, true);
        async move { Ok(added) }.boxed()
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        if self.0.fault != Fault::RemovedStays {
            let number = registration.id.unwrap_or_default().parse().unwrap_or(u64::MAX);
            self.0.urls.lock().unwrap().remove(&number);
        }
        async { Ok(()) }.boxed()
    }
}
