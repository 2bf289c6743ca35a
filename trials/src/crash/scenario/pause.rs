//! `pause`: a process that stands still for three leases and then goes on as if nothing had been.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::world::World;
use super::{Plan, Scenario};

/// Longer than a busy machine, or a transaction in which the other process was stopped, holds up the process that goes on: each such
/// stall would be another pause, and let what was claimed be done once more.
const LEASE: Duration = Duration::from_secs(3);

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let launch = Launch { work: "100..300".to_owned(), lease: LEASE, ..Launch::default() };
    let mut world = World::new(&plan.with_rival(), Scenario::Pause.as_str(), 3, launch).await?;
    world.start_all()?;
    // Whoever has not begun cannot be interrupted.
    if !world.wait_until_ready().await? {
        return world.judge().await;
    }
    let load = world.load(plan.few(), Duration::from_secs(4));
    world.live(800, 1500).await;
    let frozen = world.freeze(0).await?;
    world.interruptions += 1;
    sleep(LEASE * 3).await;
    world.unfreeze(frozen)?;
    world.finish(load).await
}
