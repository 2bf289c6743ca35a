//! A server with only the documented facts must pass the core profile. The service description does not restrict anything else.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::in_memory::InMemory;
use crate::support::{Seen, answer};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Account, Outcome, Run, Settings, Suite};
use contentgen_conformance::spec::Profile;

const KEY: &str = "cg_live_0123456789abcdef";

/// Differences between such servers.
#[derive(Clone, Copy)]
struct Habits {
    success: u16,
    refusal: u16,
    /// Number of reads of an article before it is ready.
    early_reads: u32,
}

fn sparse(habits: Habits) -> Arc<InMemory> {
    let jobs = AtomicU32::new(0);
    let reads: Mutex<std::collections::BTreeMap<String, u32>> = Mutex::default();
    let reply = move |seen: &Seen| {
        let refuse = || answer(habits.refusal, &[("content-type", "text/html")], b"<h1>no</h1>");
        if seen.header("authorization") != Some(&format!("Bearer {KEY}")) {
            return refuse();
        }
        if seen.method == "POST" && seen.path == "/api/v1/generate" {
            let body: serde_json::Value = serde_json::from_slice(&seen.body).unwrap_or_default();
            let members = body.as_object().map_or(0, serde_json::Map::len);
            if !body["topic"].is_string() || body["website_id"] != "site-9" || members != 2 {
                return refuse();
            }
            let id = jobs.fetch_add(1, Ordering::Relaxed);
            let text = format!(" {{ \"queue\": null,\n \"job_id\" : \"{id}\" }}");
            return answer(habits.success, &[("content-type", "application/json; charset=utf-8")], text.as_bytes());
        }
        let id = seen.path.strip_prefix("/api/v1/articles/").and_then(|id| id.parse::<u32>().ok());
        match id {
            Some(id) if id < jobs.load(Ordering::Relaxed) && seen.method == "GET" => {
                let mut reads = reads.lock().unwrap();
                let count = reads.entry(seen.path.clone()).or_default();
                *count += 1;
                if *count <= habits.early_reads {
                    return refuse();
                }
                answer(200, &[("content-type", "application/json")], br#"{"text":"Long","meta":[]}"#)
            }
            _ => refuse(),
        }
    };
    InMemory::new(reply, |_| Duration::ZERO)
}

async fn run(fake: &Arc<InMemory>) -> Run {
    let account = Account { api_key: KEY.to_owned(), website_id: Some("site-9".to_owned()) };
    let settings = Settings { profile: Profile::Core, cases: 16, seed: 8, ..Settings::default() };
    Suite::new(ContentGeneration, fake.target(account)).with(settings).run(&|_| {}).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn servers_that_keep_only_the_documented_facts_pass_the_core_profile() {
    for habits in [
        Habits { success: 200, refusal: 404, early_reads: 0 },
        Habits { success: 201, refusal: 400, early_reads: 2 },
        Habits { success: 202, refusal: 418, early_reads: 1 },
        Habits { success: 200, refusal: 403, early_reads: 1 },
    ] {
        let run = run(&sparse(habits)).await;
        for result in &run.results {
            let is_fine = matches!(result.outcome, Outcome::Passed | Outcome::NotApplicable(_));
            assert!(is_fine, "{}: {:?}", result.requirement.id, result.outcome);
        }
        assert!(run.verdicts().passed >= 8, "{:?}", run.verdicts());
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_lets_any_key_in_breaks_the_core_profile() {
    let open = InMemory::new(
        |_| answer(200, &[("content-type", "application/json")], br#"{"job_id":"1"}"#),
        |_| Duration::ZERO,
    );
    let run = run(&open).await;
    let failed: Vec<&str> =
        run.results.iter().filter(|result| result.is_failure()).map(|result| result.requirement.id).collect();
    for id in ["auth.missing.refused", "auth.wrong-key.refused", "generate.job-id.unique", "articles.unknown.not-found"]
    {
        assert!(failed.contains(&id), "{id} is not among {failed:?}");
    }
}
