//! Requirements that move the clock of the target: a right server keeps them, and servers whose times are wrong do not.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Duration as Span, Utc};
use contentgen_conformance::check::{ClockSwitch, MovableClock};
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Target};
use futures::future::BoxFuture;
use serde_json::Value;

use crate::broken_servers::proxy::{self, Passing, Spoil};
use crate::support::judged::outcome_of;

const SEED: u64 = 28;

/// Moves the clock by a multiple of the time.
#[derive(Debug)]
struct Scaled(Arc<MovableClock>, f64);

impl ClockSwitch for Scaled {
    fn advance(&self, by: Duration) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(self.0.advance(by.mul_f64(self.1)))
    }
}

/// Runs one requirement against the reference server behind a proxy, with a clock that moves by a multiple.
async fn outcome(id: &str, factor: f64, spoil: Spoil) -> Outcome {
    let server = Reference::start().await.unwrap();
    let mut target = server.target();
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), spoil).await;
    let clock = target.clock.take().unwrap();
    let clock = Arc::new(MovableClock::new(Arc::new(Scaled(clock, factor))));
    let mut target = Target { base_url, clock: Some(clock), ready_within: Some(Duration::from_secs(8)), ..target };
    target.hooks.as_mut().unwrap().retry_within = Some(Duration::from_secs(8));
    outcome_of(id, target, SEED).await
}

fn unchanged() -> Spoil {
    Arc::new(|_| {})
}

const IDS: [&str; 10] = [
    "hooks.attempts.ten",
    "hooks.confirmation.another-link",
    "hooks.confirmation.expires",
    "idempotency.window.forgotten",
    "idempotency.window.remembered",
    "jobs.kept.after-end",
    "leads.window.ends",
    "pages.lifetime.day",
    "pipeline.late.not-yet",
    "pipeline.late.one-by-one",
];

#[tokio::test]
async fn the_reference_server_keeps_its_times() {
    for id in IDS {
        let outcome = outcome(id, 1.0, unchanged()).await;
        assert!(matches!(outcome, Outcome::Passed), "{id}, seed {SEED}: {outcome:?}");
    }
}

/// Changes `created_at` of jobs: the time since the first one is multiplied by `numerator` / `denominator`.
fn scaled_times(numerator: i32, denominator: i32) -> Spoil {
    let first: Arc<Mutex<Option<DateTime<Utc>>>> = Arc::default();
    Arc::new(move |passing| {
        if passing.path.contains("/jobs/") {
            passing.edit(|job| {
                let Some(Ok(created)) = job["created_at"].as_str().map(str::parse::<DateTime<Utc>>) else { return };
                let first = *first.lock().unwrap().get_or_insert(created);
                job["created_at"] = (first + (created - first) * numerator / denominator).to_rfc3339().into();
            });
        }
    })
}

#[tokio::test]
async fn a_server_whose_times_are_half_as_long_is_caught() {
    for id in
        ["hooks.confirmation.expires", "idempotency.window.remembered", "leads.window.ends", "pipeline.late.not-yet"]
    {
        let outcome = outcome(id, 2.0, scaled_times(1, 2)).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{id}, seed {SEED}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_server_whose_times_are_twice_as_long_is_caught() {
    for id in [
        "hooks.attempts.ten",
        "hooks.confirmation.another-link",
        "hooks.confirmation.expires",
        "idempotency.window.forgotten",
        "leads.window.ends",
    ] {
        let outcome = outcome(id, 0.5, scaled_times(2, 1)).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{id}, seed {SEED}: {outcome:?}");
    }
}

/// Changes the rows of a page.
fn rows(passing: &mut Passing, path: &str, change: impl FnOnce(&mut Vec<Value>)) {
    if passing.path.contains(path) {
        passing.edit(|page| {
            if let Some(items) = page["items"].as_array_mut() {
                change(items);
            }
        });
    }
}

#[tokio::test]
async fn a_server_whose_times_never_end_or_whose_tokens_end_at_once_is_caught() {
    let first: Arc<Mutex<Option<Value>>> = Arc::default();
    let remembers: Spoil = Arc::new(move |passing| {
        if passing.path.ends_with("/generate") {
            passing.edit(|job| {
                if job["topic"] == "Waxing a floor" {
                    job["job_id"] = first.lock().unwrap().get_or_insert_with(|| job["job_id"].clone()).clone();
                }
            });
        }
    });
    let one_lead: Spoil = Arc::new(|passing| {
        rows(passing, "/leads", |items| {
            let mut emails = BTreeSet::new();
            items.retain(|lead| emails.insert(lead["email"].to_string()));
        });
    });
    let ever_valid: Spoil = Arc::new(|passing| {
        if passing.path.contains("/confirmations/") && passing.status == 410 {
            passing.status = 200;
        }
    });
    let all_at_once: Spoil = Arc::new(|passing| {
        if passing.path.contains("/scheduled_posts/") {
            passing.edit(|post| {
                if post["status"] == "published" {
                    let due: DateTime<Utc> = post["publish_at"].as_str().unwrap().parse().unwrap();
                    post["published_at"] = (due + Span::hours(2)).to_rfc3339().into();
                }
            });
        }
    });
    let not_found = |path: &'static str| -> Spoil {
        Arc::new(move |passing| {
            if passing.method == "GET" && passing.path.contains(path) {
                passing.status = 404;
            }
        })
    };
    let no_token: Spoil = Arc::new(|passing| {
        if passing.path.contains("page_token=") {
            passing.status = 400;
        }
    });
    for (id, spoil) in [
        ("pages.lifetime.day", no_token),
        ("jobs.kept.after-end", not_found("/scheduled_posts/")),
        ("idempotency.window.forgotten", remembers),
        ("leads.window.ends", one_lead),
        ("hooks.confirmation.expires", ever_valid),
        ("pipeline.late.one-by-one", all_at_once),
    ] {
        let outcome = outcome(id, 1.0, spoil).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{id}, seed {SEED}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_command_that_moves_no_clock_or_moves_it_too_far_decides_nothing() {
    for (id, factor) in IDS.into_iter().flat_map(|id| [(id, 0.0), (id, 2.0)]) {
        let outcome = outcome(id, factor, unchanged()).await;
        let says_why =
            |reason: &str| reason.contains("does the command move the clock of all processes by {seconds}, at once?");
        assert!(
            matches!(&outcome, Outcome::Inconclusive(reason) if says_why(reason)),
            "{id}, times {factor}, seed {SEED}: {outcome:?}"
        );
    }
}
