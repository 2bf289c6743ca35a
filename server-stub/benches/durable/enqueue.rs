//! Submissions in group commits beside one transaction for each, by the same callers into the same tables.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

use crate::database::{Database, Engine};
use crate::queues::{self, Grouped, Queue};
use crate::rate::{Rate, Stopwatch};
use crate::records::{Owner, owners};
use crate::verdict::{self, Goal};

/// Number of callers. Each has its own account and website.
const CALLERS: usize = 64;
/// Duration of one measurement of each side in a round.
const SLICE: Duration = Duration::from_secs(2);
/// Minimum ratio of the store's rate to the pool's.
const GOAL: Goal = Goal::AtLeast(4.0);

/// Measures and prints.
pub(crate) async fn measure(engine: Engine, rounds: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let mut rates = Vec::new();
    for _ in 0..rounds {
        let (_database, store) = Database::new(engine).await?;
        let owned = owners(&store, CALLERS).await?;
        let grouped = load(Arc::new(Grouped(store)), owned).await?;
        let (database, store) = Database::new(engine).await?;
        let owned = owners(&store, CALLERS).await?;
        drop(store);
        let single = load(queues::single(&database).await?, owned).await?;
        rates.push((grouped, single));
    }
    verdict::ratio(out, ["Store::submit", "a transaction for each request"], GOAL, &rates)?;
    Ok(())
}

async fn load(queue: Arc<dyn Queue>, owners: Vec<Owner>) -> anyhow::Result<Rate> {
    let (stop, queued) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut callers = JoinSet::new();
    for owner in owners {
        let (queue, stop, queued) = (queue.clone(), Arc::clone(&stop), Arc::clone(&queued));
        callers.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                queue.submit(owner.submission()).await?;
                queued.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        });
    }
    // The first moments prepare statements and warm caches, so they do not count.
    tokio::time::sleep(SLICE / 5).await;
    let (stopwatch, before) = (Stopwatch::start()?, queued.load(Ordering::Relaxed));
    tokio::time::sleep(SLICE).await;
    let rate = stopwatch.stop(queued.load(Ordering::Relaxed) - before)?;
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    Ok(rate)
}
