//! Requirements that break the target's writer: a right server keeps them, and servers that never give up do not.

use std::sync::Arc;
use std::time::Duration;

use contentgen_conformance::check::{BreakableWriter, WriterState, WriterSwitch};
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Target};
use futures::future::{BoxFuture, FutureExt as _, join_all};
use serde_json::{Value, json};

use crate::broken_servers::proxy::{self, Spoil};
use crate::support::judged::outcome_of;

const SEED: u64 = 30;

const IDS: [&str; 3] = ["jobs.writer.attempts", "jobs.writer.in-progress", "jobs.writer.queued"];

/// Runs one requirement against the reference server behind a proxy that changes jobs.
async fn outcome(id: &str, change: fn(&mut Value), writer: Option<Arc<BreakableWriter>>) -> Outcome {
    let server = Reference::start().await.unwrap();
    let target = server.target();
    let spoil: Spoil = Arc::new(move |passing| {
        if passing.path.contains("/jobs/") && passing.status == 200 {
            passing.edit(change);
        }
    });
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), spoil).await;
    let writer = writer.or_else(|| target.writer.clone());
    outcome_of(id, Target { base_url, writer, ready_within: Some(Duration::from_secs(10)), ..target }, SEED).await
}

#[tokio::test]
async fn the_reference_server_gives_up_in_time() {
    let judged = join_all(IDS.map(|id| outcome(id, |_| {}, None))).await;
    for (id, outcome) in IDS.iter().zip(judged) {
        assert!(matches!(outcome, Outcome::Passed), "{id}, seed {SEED}: {outcome:?}");
    }
}

/// A requirement, and the change of jobs that it must notice.
type Broken = (&'static str, fn(&mut Value));

/// Shows a failed job as unfinished.
fn goes_on(job: &mut Value, status: &str) {
    if job["status"] == "failed" {
        job["status"] = json!(status);
        job["done"] = json!(false);
        job["error"] = Value::Null;
        job["finished_at"] = Value::Null;
    }
}

#[tokio::test]
async fn a_server_that_does_not_give_up_is_caught() {
    let broken: [Broken; 4] = [
        ("jobs.writer.attempts", |job| job["attempts"] = json!(4)),
        ("jobs.writer.in-progress", |job| goes_on(job, "in_progress")),
        ("jobs.writer.queued", |job| goes_on(job, "queued")),
        ("jobs.writer.queued", |job| goes_on(job, "in_progress")),
    ];
    let judged = join_all(broken.map(|(id, change)| outcome(id, change, None))).await;
    for ((id, _), outcome) in broken.iter().zip(judged) {
        assert!(matches!(outcome, Outcome::Failed(_)), "{id}, seed {SEED}: {outcome:?}");
    }
}

/// Reports success, and does nothing.
#[derive(Debug)]
struct Idle;

impl WriterSwitch for Idle {
    fn switch(&self, _state: WriterState) -> BoxFuture<'_, Result<(), String>> {
        std::future::ready(Ok(())).boxed()
    }
}

#[tokio::test]
async fn a_command_without_an_effect_decides_nothing() {
    let idle = || Some(Arc::new(BreakableWriter::new(Arc::new(Idle))));
    let judged = join_all(IDS.map(|id| outcome(id, |_| {}, idle()))).await;
    for (id, outcome) in IDS.iter().zip(judged) {
        let says_so = format!("{outcome:?}").contains("[writer] switch");
        assert!(matches!(outcome, Outcome::Inconclusive(_)) && says_so, "{id}, seed {SEED}: {outcome:?}");
    }
}
