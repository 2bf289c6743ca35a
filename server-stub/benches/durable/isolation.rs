//! Time from an event to its arrival at a prompt receiver. A second receiver of the same account either responds at once or never responds.
//! The dispatcher has its usual limits.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::retry_schedule::RetrySchedule;
use contentgen_server_stub::hooks::{AddressPolicy, Dispatcher, Sender};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::database::{Database, Engine};
use crate::receiver::{Arrival, Receiver};
use crate::records::{now, owners};
use crate::verdict::{self, Goal};

/// Pause between two leads.
const PACE: Duration = Duration::from_millis(50);
/// Leads of one side of a round.
const LEADS: usize = 160;
/// Maximum ratio of the prompt receiver's 95th percentile beside a silent receiver to that beside another prompt receiver.
const GOAL: Goal = Goal::Below(1.5);

/// Measures and prints.
pub(crate) async fn measure(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let mut delays = Vec::new();
    for _ in 0..rounds {
        let beside_prompt = percentile(engine, false).await?;
        let beside_silent = percentile(engine, true).await?;
        delays.push((beside_silent, beside_prompt));
    }
    let names = ["95th percentile beside a silent receiver", "95th percentile beside a prompt one"];
    verdict::delays(out, names, GOAL, &delays)?;
    Ok(())
}

/// Returns the 95th percentile of the time from an event's creation to its arrival, in milliseconds.
async fn percentile(engine: Engine, is_other_silent: bool) -> anyhow::Result<f64> {
    let (_database, store) = Database::new(engine).await?;
    let owner = owners(&store, 1).await?.swap_remove(0);
    let (mut receiver, other) = (Receiver::start().await?, Receiver::start().await?);
    store.create_hook_endpoint(&owner.endpoint(&receiver.prompt())).await?;
    let other_url = if is_other_silent { other.silent() } else { other.prompt() };
    store.create_hook_endpoint(&owner.endpoint(&other_url)).await?;
    let sender = Sender::new(AddressPolicy::allow_loopback());
    let (clock, schedule) = (Arc::new(SystemClock), RetrySchedule::default());
    let dispatcher = Dispatcher::new(store.clone(), clock, sender, schedule);
    // The set aborts the dispatcher, which would otherwise wait for responses that never come.
    let mut tasks = JoinSet::new();
    tasks.spawn(dispatcher.run(CancellationToken::new()));
    let mut created = HashMap::new();
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for _ in 0..LEADS {
        pace.tick().await;
        let (lead, event) = owner.lead();
        created.insert(event.id.clone(), Instant::now());
        store.capture_lead(&lead, &event, now(), now()).await?;
    }
    let arrivals = receiver.wait_for(LEADS).await?;
    tasks.shutdown().await;
    let delay = |arrival: &Arrival| {
        let created = created.get(&arrival.event_id)?;
        Some(arrival.at.duration_since(*created).as_secs_f64() * 1000.0)
    };
    let mut delays: Vec<f64> = arrivals.iter().filter_map(delay).collect();
    anyhow::ensure!(delays.len() == LEADS, "an event is not from this run");
    delays.sort_by(f64::total_cmp);
    Ok(delays[LEADS * 95 / 100])
}
