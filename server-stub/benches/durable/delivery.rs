//! Webhooks for one receiver, sent and recorded by the dispatcher, beside a bare client. The client posts the same body to the same
//! receiver and stores nothing. Also measures the cost of claims and records without sending, and the same number of webhooks for many
//! endpoints beside one endpoint.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::hook::{Attempt, MAX_ENDPOINTS};
use contentgen_server_stub::domain::retry_schedule::{AttemptDecision, RetrySchedule};
use contentgen_server_stub::domain::store::{AttemptRecord, LeaseOutcome};
use contentgen_server_stub::hooks::{AddressPolicy, DestinationChecker, Dispatcher, Sender, Tuning};
use contentgen_server_stub::storage::Store;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use reqwest::header;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::database::{Database, Engine};
use crate::rate::{Rate, Stopwatch};
use crate::receiver::Receiver;
use crate::records::{Owner, moment, now, owners};
use crate::verdict::{self, Goal};

/// Webhooks of a round.
pub(crate) const HOOKS: usize = 5000;
/// Concurrent requests, on both sides.
const IN_FLIGHT: usize = 64;
/// The dispatcher without its usual limits.
const TUNING: Tuning = Tuning {
    attempt_timeout: Duration::from_secs(15),
    rate_per_second: 1_000_000,
    in_flight: 64,
    per_endpoint: 10_000,
};
/// Deliveries of a transaction when nothing is sent: about as many as the dispatcher has in one.
const BATCH: u32 = 128;
const LEASE: Duration = Duration::from_mins(1);
/// How often to check whether all attempts are recorded.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Minimum ratio of the dispatcher's rate to the bare client's, on SQLite and on PostgreSQL. PostgreSQL shares the cores with the bench.
const GOALS: [Goal; 2] = [Goal::AtLeast(0.6), Goal::AtLeast(0.4)];
/// Minimum ratio of the rate with one endpoint for each webhook to the rate with one endpoint for all.
const MANY_ENDPOINTS_GOAL: Goal = Goal::AtLeast(0.5);

/// Measures and prints.
pub(crate) async fn measure(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let (_database, store) = Database::new(engine).await?;
    let owner = owners(&store, 1).await?.swap_remove(0);
    let mut receiver = Receiver::start().await?;
    store.create_hook_endpoint(&owner.endpoint(&receiver.prompt())).await?;
    let (mut rates, mut unsent) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        capture(&store, std::slice::from_ref(&owner), HOOKS).await?;
        let dispatched = dispatch(&store, &mut receiver, HOOKS).await?;
        let bare = post(owner.lead().1.body.into_inner(), &mut receiver).await?;
        rates.push((dispatched, bare));
        capture(&store, std::slice::from_ref(&owner), HOOKS).await?;
        unsent.push(claim_and_record(&store).await?);
    }
    let goal = GOALS[usize::from(engine == Engine::Postgres)];
    verdict::ratio(out, ["sent and recorded by the dispatcher", "posted by a bare client"], goal, &rates)?;
    verdict::rate(out, "claimed and recorded, nothing sent", None, &unsent)?;
    Ok(())
}

/// Claims all pending deliveries and records an attempt at each, one transaction after the other. This is the work of the dispatcher
/// without HTTP.
pub(crate) async fn claim_and_record(store: &Store) -> anyhow::Result<Rate> {
    let capacity = EndpointCapacity { per_endpoint: TUNING.per_endpoint, reduced: HashMap::new() };
    let (stopwatch, mut recorded) = (Stopwatch::start()?, 0);
    while recorded < HOOKS {
        let now = moment();
        let claimed = store.claim_deliveries(BATCH, &capacity, now, now.steady.plus(LEASE)).await?;
        anyhow::ensure!(!claimed.is_empty(), "only {recorded} of {HOOKS} hooks waited");
        let attempts = claimed.into_iter().map(|delivery| AttemptRecord {
            delivery,
            attempt: Attempt {
                started_at: now.wall,
                request_headers: Vec::new(),
                duration_ms: 1,
                response_status: Some(200),
                error: None,
                retry_after: None,
                timed_out: false,
                response_head: Some(String::new().into()),
                response_headers: Vec::new().into(),
            },
            decision: AttemptDecision::Succeeded,
            decided_at: now,
        });
        let outcomes = store.record_attempts(attempts.collect()).await?;
        anyhow::ensure!(outcomes.iter().all(|outcome| *outcome == LeaseOutcome::Recorded), "a lease was lost");
        recorded += outcomes.len();
    }
    stopwatch.stop(HOOKS as u64)
}

/// Measures endpoints with one webhook each beside one endpoint with all webhooks, and prints the result.
pub(crate) async fn measure_many_endpoints(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let mut receiver = Receiver::start().await?;
    let mut rates = Vec::new();
    for _ in 0..rounds {
        let mut round = Vec::new();
        for (accounts, endpoints, leads) in [(HOOKS / MAX_ENDPOINTS, MAX_ENDPOINTS, 1), (1, 1, HOOKS)] {
            let (_database, store) = Database::new(engine).await?;
            let owners = owners(&store, accounts).await?;
            for owner in &owners {
                for _ in 0..endpoints {
                    store.create_hook_endpoint(&owner.endpoint(&receiver.prompt())).await?;
                }
            }
            capture(&store, &owners, leads).await?;
            // The hooks of one lead have the same id at all its endpoints.
            round.push(dispatch(&store, &mut receiver, accounts * leads).await?);
        }
        rates.push((round[0], round[1]));
    }
    verdict::ratio(out, ["for an endpoint each", "for one endpoint"], MANY_ENDPOINTS_GOAL, &rates)?;
    Ok(())
}

/// Creates `leads` pending webhooks for each owner.
pub(crate) async fn capture(store: &Store, owners: &[Owner], leads: usize) -> anyhow::Result<()> {
    let captures = stream::iter(owners.iter().cycle().take(owners.len() * leads)).map(|owner| async {
        let (lead, event) = owner.lead();
        store.capture_lead(&lead, &event, now(), now()).await
    });
    captures.buffer_unordered(IN_FLIGHT).try_for_each(|_| async { Ok(()) }).await?;
    Ok(())
}

/// Sends all pending webhooks, which belong to `events` events. Returns when every attempt is recorded.
async fn dispatch(store: &Store, receiver: &mut Receiver, events: usize) -> anyhow::Result<Rate> {
    let sender = Sender::with_tuning(DestinationChecker::new(AddressPolicy::allow_loopback()), TUNING);
    let schedule = RetrySchedule::default();
    let dispatcher = Dispatcher::new(store.clone(), Arc::new(SystemClock), sender, schedule).with_tuning(TUNING);
    let (stop, mut tasks) = (CancellationToken::new(), JoinSet::new());
    let stopwatch = Stopwatch::start()?;
    tasks.spawn(dispatcher.run(stop.clone()));
    let arrivals = receiver.wait_for(HOOKS).await?;
    // At this point only the last attempts are not yet recorded.
    while store.queue_statistics(moment()).await?.deliveries_pending > 0 {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    let rate = stopwatch.stop(HOOKS as u64)?;
    stop.cancel();
    tasks.join_all().await;
    let distinct = arrivals.into_iter().map(|arrival| arrival.event_id).collect::<HashSet<_>>().len();
    anyhow::ensure!(distinct == events, "hooks for {distinct} different events of {events} arrived");
    Ok(rate)
}

/// Posts the same number of bodies with the same number of concurrent requests.
async fn post(body: Bytes, receiver: &mut Receiver) -> anyhow::Result<Rate> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let (url, left) = (receiver.prompt(), Arc::new(AtomicUsize::new(HOOKS)));
    let stopwatch = Stopwatch::start()?;
    let mut tasks = JoinSet::new();
    for _ in 0..IN_FLIGHT {
        let (client, url, body, left) = (client.clone(), url.clone(), body.clone(), Arc::clone(&left));
        tasks.spawn(async move {
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                let request = client.post(&url).header(header::CONTENT_TYPE, "application/json").body(body.clone());
                request.send().await?.error_for_status()?.bytes().await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    let rate = stopwatch.stop(HOOKS as u64)?;
    receiver.wait_for(HOOKS).await?;
    Ok(rate)
}
