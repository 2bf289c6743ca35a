//! `kill-loop`: `kill -9` at random moments while articles are requested, and an immediate restart.

use std::time::Duration;

use anyhow::Result;
use rand::RngExt as _;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

/// Minimum and maximum lifetime of a process, in milliseconds.
const LIFE: (u64, u64) = (20, 800);
/// Average lifetime, including the start: articles are requested as long as there are kills.
const AVERAGE: Duration = Duration::from_millis(420);

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let launch = Launch::slow_to_commit().often_killed();
    let mut world = World::new(plan, Scenario::KillLoop.as_str(), 1, launch).await?;
    world.start_all()?;
    let load = world.load(plan.jobs, AVERAGE * plan.kills);
    for number in 1..=plan.kills {
        world.live(LIFE.0, LIFE.1).await;
        let victim = world.random.random_range(0..world.servers.len());
        world.kill(victim).await?;
        world.restart(victim)?;
        progress.say(format!("kill {number} of {}", plan.kills));
    }
    world.finish(load).await
}
