//! A reference server for a lane of faults, and the proxies in front of it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::Fault;
use contentgen_sdk::{Client, Error, RequestOptions};
use contentgen_server_stub::server::Running;
use serde_json::Value;

use super::super::{base_url, capture, demonstration, full_client, http};
use super::reading::{Call, Read, Subject};

/// Time limit for an attempt that no fault stalls. No result depends on it.
pub(super) const PATIENCE: Duration = Duration::from_secs(75);
/// Longest pause that the client accepts from a server.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A separate server with proxies in front of it.
pub(super) struct Lane {
    pub(super) server: Running,
    pub(super) faulty: FaultyServer,
    /// Client without the proxy.
    pub(super) straight: Client,
    subject: Subject,
    known: Mutex<Vec<(Call, Result<Read, Error>)>>,
}

impl Lane {
    /// Starts a server with three leads, two websites and a job that has ended.
    pub(super) async fn start() -> Self {
        let server = demonstration().await;
        let faulty = FaultyServer::start(&base_url(&server)).await.expect("ports are free");
        let straight = full_client(&server);
        for name in ["Ada", "Bérénice", "Čeněk"] {
            capture(&server, format!(r#"{{"email":"{name}@example.com","name":"{name}","consent":{{"given":true}}}}"#))
                .await;
        }
        let leads = straight.list_leads().send().await.expect("the leads can be read");
        let mut subject = Subject {
            website_id: server.accounts()[0].website_id.clone(),
            topics: [String::new(), String::new()],
            keys: [String::new(), String::new()],
            lead_id: leads.items[1].id.clone(),
            job_id: String::new(),
            page_limit: 3,
        };
        for number in 0..3 {
            subject.topics = [format!("A bed of kale {number}"), format!("A row of leeks {number}")];
            let order = subject.order(0);
            let article = straight.generate_and_wait(order).poll_interval(Duration::from_millis(20)).await;
            subject.job_id = article.expect("the server writes").job_id.clone().expect("it names the job");
        }
        Self { server, faulty, straight, subject, known: Mutex::default() }
    }

    /// Returns the input of the calls for a fault. In the areas of [`ABOUT_ORDERS`], its topics and keys are new to the server.
    pub(super) fn subject(&self, fault: Fault) -> Subject {
        if !ABOUT_ORDERS.contains(&fault.area()) {
            return self.subject_of("as before");
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).retain(|(call, _)| !call.may_change());
        self.subject_of(fault.name)
    }

    /// Returns an input whose topics and keys contain a name. The topics have characters of several bytes.
    pub(super) fn subject_of(&self, name: &str) -> Subject {
        Subject {
            topics: [format!("Gardener's 🌱 kale, {name}"), format!("Gardener's 🧅 leeks, {name}")],
            keys: [format!("{name}-one"), format!("{name}-other")],
            ..self.subject.clone()
        }
    }

    /// Returns a client with new connections through the proxy. The limit is `patience` for an attempt, and twice that for a call.
    pub(super) fn client(&self, key: &str, patience: Duration) -> Client {
        let options = RequestOptions::default()
            .attempt_timeout(patience)
            .total_timeout(2 * patience)
            .max_retries(2)
            .server_keeps_idempotency_keys(true)
            .backoff(Duration::from_millis(10), Duration::from_millis(50))
            .max_retry_after(LONGEST_PAUSE);
        let builder = Client::builder().base_url(self.faulty.base_url()).api_key(key).options(options);
        builder.connect_timeout(patience).build().expect("the configuration is complete")
    }

    /// Makes a call without the proxy, and remembers the result for [`Self::known`].
    pub(super) async fn truth(&self, subject: &Subject, call: Call) -> Result<Read, Error> {
        let truth = match call {
            Call::WrongKey => {
                let stranger = Client::builder().base_url(base_url(&self.server)).api_key(WRONG_KEY).build();
                subject.call(call, &stranger.expect("the configuration is complete")).await
            }
            _ => subject.call(call, &self.straight).await,
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, _)| *of != call);
        known.push((call, truth.clone()));
        truth
    }

    /// Returns the last result of this call, unless new articles have changed it.
    pub(super) fn known(&self, call: Call) -> Option<Result<Read, Error>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| *of == call).map(|(_, truth)| truth.clone())
    }

    /// Returns the number of changes that the enabled faults have made.
    pub(super) fn spoiled(&self) -> u64 {
        self.faulty.enabled().iter().map(|(_, spoiled)| spoiled).sum()
    }

    /// Sends a lead to the website, as a form does, through the proxy.
    pub(super) async fn capture(&self, lead: &Value) -> Result<(), String> {
        let url = format!("{}/capture/{}", self.faulty.base_url(), self.subject.website_id);
        let form = http().post(url).header("Content-Type", "application/json").body(lead.to_string());
        let answer = form.send().await.map_err(|error| error.to_string())?;
        if answer.status() == 202 { Ok(()) } else { Err(format!("the form was answered {}", answer.status())) }
    }
}

/// Areas that concern the generation of articles: each of their faults gets new articles. All other faults repeat the same requests
/// with the same idempotency keys, which takes less time.
const ABOUT_ORDERS: [&str; 8] =
    ["article", "benign", "contract", "http", "idempotency", "outside", "state", "transport"];

/// A key that the server does not know.
pub(super) const WRONG_KEY: &str = "cg_live_of_nobody_at_all";
