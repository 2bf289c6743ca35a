//! `graceful-stop`: SIGTERM under load. The process ends in order and leaves nothing claimed, and the next one continues.

use std::time::Duration;

use anyhow::Result;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::state;
use super::super::world::World;
use super::{Plan, Scenario};

/// Number of stops.
const STOPS: u32 = 3;

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let launch = Launch::default().undisturbed();
    let mut world = World::new(plan, Scenario::GracefulStop.as_str(), 8, launch).await?;
    world.start_all()?;
    let load = world.load(plan.few() * 2, Duration::from_secs(3));
    for number in 1..=STOPS {
        world.live(300, 1200).await;
        for index in 0..world.servers.len() {
            world.stop(index).await?;
        }
        let claimed = world.database.read(state::leased).await?;
        if claimed > 0 {
            world.faults.push(format!("after stop {number}, {claimed} jobs, posts and deliveries were still claimed, and must wait until their leases expire"));
        }
        for index in 0..world.servers.len() {
            world.restart(index)?;
        }
    }
    world.finish(load).await
}
