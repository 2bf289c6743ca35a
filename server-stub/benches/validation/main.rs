//! Worst-case cost of rejecting a body, beside an ordinary body: `cargo bench -p contentgen-server-stub --bench validation`. Reading the
//! JSON counts, and so does the fingerprint for idempotency. Sending does not count.

mod bodies;

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use contentgen_server_stub::app::{App, Caller, LeadSubmission, Limits, Submitter, parse_json};
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::demo;
use contentgen_server_stub::domain::account::Website;
use contentgen_server_stub::domain::public_url::PublicUrl;
use contentgen_server_stub::domain::store::QueueLimits;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use tokio_util::sync::CancellationToken;

/// Maximum size of an API body, in bytes.
const MAX_BODY: usize = 64 * 1024;
/// Maximum size of a lead form, in bytes.
const MAX_FORM: usize = 16 * 1024;
/// Duration of the measurement of each body.
const TIME: Duration = Duration::from_millis(500);

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` measures nothing.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?.block_on(measure())
}

/// The use cases, and the sender of the requests.
struct Sender {
    app: App,
    caller: Caller,
    website: Website,
}

async fn measure() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let address = format!("sqlite:{}", folder.path().join("bench.db").display());
    let store = storage::open(&address, &storage::Options::new(Arc::new(SystemRandomness)))?;
    let limits = Limits { queue: QueueLimits { per_website: u32::MAX, per_account: u32::MAX, per_day: None } };
    let secret = store.derived_secret("demonstration keys");
    let app = App::new(store, Arc::new(SystemClock), Arc::new(SystemRandomness), limits, CancellationToken::new());
    let account = demo::set_up(&app, &secret).await?.swap_remove(0);
    let caller = app.authenticate(&account.api_key).await?;
    let website = app.capture_website(&account.website_id).await?.context("the demonstration has a website")?;
    let sender = Sender { app, caller, website };

    // The website does not exist, so this body is rejected after its check. A commit would cost more than everything else.
    let ordinary =
        r#"{"topic":"Keeping a rye starter alive through winter","website_id":"web_none","keywords":["rye starter"]}"#;
    let mut out = std::io::stdout();
    let unit = sender.generate_cost("an ordinary body", ordinary).await?;
    writeln!(out, "{unit:9.0} µs  an ordinary body of {} bytes", ordinary.len())?;
    let mut worst = (0.0, "");
    for (name, body) in bodies::orders(MAX_BODY) {
        let cost = sender.generate_cost(name, &body).await?;
        writeln!(out, "{cost:9.0} µs  {name}, {} bytes", body.len())?;
        worst = if cost > worst.0 { (cost, name) } else { worst };
    }
    for (name, body) in bodies::leads(MAX_FORM) {
        let cost = sender.lead(name, || Ok(LeadSubmission::from_json(parse_json(body.as_bytes())?))).await?;
        writeln!(out, "{cost:9.0} µs  lead: {name}, {} bytes", body.len())?;
        worst = if cost > worst.0 { (cost, name) } else { worst };
    }
    for (name, body) in bodies::forms(MAX_FORM) {
        let pairs = || url::form_urlencoded::parse(body.as_bytes()).into_owned();
        let cost = sender.lead(name, || Ok(LeadSubmission::from_form(pairs()))).await?;
        writeln!(out, "{cost:9.0} µs  form: {name}, {} bytes", body.len())?;
        worst = if cost > worst.0 { (cost, name) } else { worst };
    }
    writeln!(out, "the worst ({}) costs {:.0} times an ordinary body", worst.1, worst.0 / unit)?;
    Ok(())
}

impl Sender {
    /// Returns the microseconds that checking and rejecting a body takes, including the JSON.
    async fn generate_cost(&self, name: &str, body: &str) -> anyhow::Result<f64> {
        let (began, mut count) = (Instant::now(), 0);
        while began.elapsed() < TIME {
            let accepted = match parse_json(body.as_bytes()) {
                Ok(parsed) => {
                    let checked = self.app.check_generate_body(&parsed, true, Some("key".to_owned()));
                    self.app.generate(&self.caller.visibility, checked, Submitter::Caller).await.is_ok()
                }
                Err(_) => false,
            };
            anyhow::ensure!(!accepted, "{name}: it was accepted");
            count += 1;
        }
        Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(count))
    }

    /// Returns the microseconds that a rejected lead takes, including reading it.
    async fn lead(&self, name: &str, read: impl Fn() -> Result<LeadSubmission, &'static str>) -> anyhow::Result<f64> {
        let (began, mut count) = (Instant::now(), 0);
        while began.elapsed() < TIME {
            let lead = read().map_err(anyhow::Error::msg)?;
            anyhow::ensure!(
                self.app.capture_lead(&self.website, lead, &PublicUrl::default()).await.is_err(),
                "{name}: it was taken"
            );
            count += 1;
        }
        Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(count))
    }
}
