//! Cost of callers that wait for unfinished jobs: processor time of this process, which does nothing else.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use contentgen_server_stub::app::{App, Caller, Limits, Submitter};
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::demo;
use contentgen_server_stub::domain::store::QueueLimits;
use contentgen_server_stub::randomness::SystemRandomness;
use futures::future::try_join_all;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::database::{Database, Engine};
use crate::rate::Stopwatch;
use crate::verdict::{self, Goal};

/// Number of callers. Each waits for a different job.
const WAITERS: usize = 5_000;
/// Callers that start at a time. The store rejects some if all start at once.
const AT_ONCE: usize = 100;
/// Duration of the measurement.
const TIME: Duration = Duration::from_secs(10);
/// Time limit of a caller's wait, longer than the measurement.
const WAIT: Duration = Duration::from_mins(1);
/// Maximum cost of all callers, in percent of a core.
const GOAL: Goal = Goal::Below(5.0);

/// Measures and prints.
pub(crate) async fn measure(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let mut costs = Vec::new();
    for _ in 0..rounds {
        costs.push(cost(engine).await?);
    }
    verdict::percent(out, "of a core", GOAL, &costs)?;
    Ok(())
}

/// Returns the cost of the waiting callers, in percent of a core.
async fn cost(engine: Engine) -> anyhow::Result<f64> {
    let (_database, store) = Database::new(engine).await?;
    let (wakeups, stopping) = (Arc::clone(store.wakeups()), CancellationToken::new());
    let limits = Limits { queue: QueueLimits { per_website: u32::MAX, per_account: u32::MAX, per_day: None } };
    let secret = store.derived_secret("demonstration keys");
    let (clock, randomness) = (Arc::new(SystemClock), Arc::new(SystemRandomness));
    let app = App::new(store, clock, randomness, limits, stopping.clone());
    let account = demo::set_up(&app, &secret).await?.swap_remove(0);
    let caller = app.authenticate(&account.api_key).await?;
    let app = Arc::new(app);
    let mut tasks = JoinSet::new();
    for job_ids in queue(&app, &caller, &account.website_id).await?.chunks(AT_ONCE) {
        for job_id in job_ids {
            let (app, caller, job_id) = (Arc::clone(&app), caller.clone(), job_id.clone());
            tasks.spawn(async move { app.get_job(&caller, &job_id, Some(WAIT)).await.map(drop) });
        }
        app.get_job(&caller, &job_ids[0], None).await?;
    }
    while wakeups.watched_job_ids().len() < WAITERS {
        if let Some(ended) = tasks.try_join_next() {
            ended?.context("a caller gave up before all of them waited")?;
        }
        sleep(Duration::from_millis(10)).await;
    }
    let following = Arc::clone(&app);
    tasks.spawn(async move {
        following.follow_watched_jobs().await;
        Ok(())
    });
    // After this time every caller has read its job.
    sleep(Duration::from_secs(2)).await;
    let stopwatch = Stopwatch::start()?;
    sleep(TIME).await;
    let cpu_seconds = stopwatch.stop(1)?.cpu_micros / 1e6;
    anyhow::ensure!(wakeups.watched_job_ids().len() == WAITERS, "somebody no longer waits");
    stopping.cancel();
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(cpu_seconds / TIME.as_secs_f64() * 100.0)
}

/// Queues a job for each waiter.
async fn queue(app: &App, caller: &Caller, website_id: &str) -> anyhow::Result<Vec<String>> {
    let body = json!({ "topic": "Keeping a rye starter alive through winter", "website_id": website_id });
    let mut job_ids = Vec::with_capacity(WAITERS);
    while job_ids.len() < WAITERS {
        let bodies = (0..AT_ONCE).map(|_| app.check_generate_body(&body, false, None));
        let accepted =
            try_join_all(bodies.map(|body| app.generate(&caller.visibility, body, Submitter::Caller))).await?;
        job_ids.extend(accepted.into_iter().map(|accepted| accepted.job_id));
    }
    Ok(job_ids)
}
