//! A server in memory with only the documented facts, unless a test overrides a response.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Account, Event, Limits, Outcome, Run, Settings, Suite};
use contentgen_conformance::spec::Profile;

use super::in_memory::InMemory;
use super::{Seen, answer};

pub(crate) const KEY: &str = "cg_live_0123456789abcdef";
const WEBSITE: &str = "site-9";
const JSON: (&str, &str) = ("content-type", "application/json");

/// Starts a server whose responses to the right key have these headers. `instead` may override a response.
pub(crate) fn documented(
    headers: &'static [(&'static str, &'static str)],
    instead: impl Fn(&Seen) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> Arc<InMemory> {
    late(headers, instead, |_| Duration::ZERO)
}

/// Starts such a server, with each response after that time.
pub(crate) fn late(
    headers: &'static [(&'static str, &'static str)],
    instead: impl Fn(&Seen) -> Option<Vec<u8>> + Send + Sync + 'static,
    delay: impl Fn(&Seen) -> Duration + Send + Sync + 'static,
) -> Arc<InMemory> {
    let jobs = AtomicU32::new(0);
    let reply = move |seen: &Seen| {
        if seen.header("authorization") != Some(&format!("Bearer {KEY}")) {
            return answer(401, &[JSON], b"{}");
        }
        let headers = [&[JSON], headers].concat();
        if let Some(bytes) = instead(seen) {
            return bytes;
        }
        if seen.method == "POST" && seen.path == "/api/v1/generate" {
            let body: serde_json::Value = serde_json::from_slice(&seen.body).unwrap_or_default();
            if !body["topic"].is_string() || body["website_id"] != WEBSITE {
                return answer(400, &headers, b"{}");
            }
            let id = jobs.fetch_add(1, Ordering::Relaxed);
            return answer(202, &headers, format!("{{\"job_id\":\"job-{id}\"}}").as_bytes());
        }
        let id = seen.path.strip_prefix("/api/v1/articles/job-").and_then(|id| id.parse::<u32>().ok());
        match id {
            Some(id) if id < jobs.load(Ordering::Relaxed) && seen.method == "GET" => {
                answer(200, &headers, br#"{"text":"Long"}"#)
            }
            _ => answer(404, &headers, b"{}"),
        }
    };
    InMemory::new(reply, delay)
}

/// Runs the core profile with seed 8.
pub(crate) async fn run(fake: &Arc<InMemory>, settings: Settings, sink: &(dyn Fn(Event<'_>) + Send + Sync)) -> Run {
    run_at(fake, Limits::default(), settings, sink).await
}

/// Runs the core profile within these limits.
pub(crate) async fn run_at(
    fake: &Arc<InMemory>,
    limits: Limits,
    settings: Settings,
    sink: &(dyn Fn(Event<'_>) + Send + Sync),
) -> Run {
    let account = Account { api_key: KEY.to_owned(), website_id: Some(WEBSITE.to_owned()) };
    let settings = Settings { profile: Profile::Core, seed: 8, ..settings };
    let mut target = fake.target(account);
    target.limits = limits;
    Suite::new(ContentGeneration, target).with(settings).run(sink).await.unwrap()
}

/// Returns the failed and broken requirements.
pub(crate) fn failed(run: &Run) -> Vec<String> {
    let broken = run.results.iter().filter(|result| matches!(result.outcome, Outcome::Failed(_) | Outcome::Error(_)));
    broken.map(|result| format!("{}: {:?}", result.requirement.id, result.outcome)).collect()
}
