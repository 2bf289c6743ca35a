//! `pause`: a process is stopped for three leases and then continues as if nothing had happened.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::world::World;
use super::{Plan, Scenario};

/// Longer than a stall of the running process on a busy machine, or while it waits for a transaction of the stopped process. Each longer
/// stall would be another pause, and could cause claimed work to be repeated.
const LEASE: Duration = Duration::from_secs(3);

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let launch = Launch { work: "100..300".to_owned(), lease: LEASE, ..Launch::default() };
    let mut world = World::new(&plan.with_rival(), Scenario::Pause.as_str(), 3, launch).await?;
    world.start_all()?;
    // A process must have started before it can be interrupted.
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
