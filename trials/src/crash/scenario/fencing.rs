//! `fencing`: work takes longer than its lease, so two workers write the same article and one of them must not record it.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::world::World;
use super::{Plan, Scenario};

/// Log line of a server whose job was claimed by another worker.
const LOST: &str = "claimed by another worker";
/// Maximum time until the first such log line. A worker asks for jobs with an expired lease at least once a second.
const LOST_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let launch = Launch {
        lease: Duration::from_millis(400),
        // Never renew: a renewed lease would outlast the work.
        renewal: Some(Duration::from_mins(10)),
        work: "600..900x8,5..45".to_owned(),
        concurrency: 64,
        ..Launch::default()
    };
    let mut world = World::new(&plan.with_rival(), Scenario::Fencing.as_str(), 2, launch).await?;
    world.start_all()?;
    let load = world.load(plan.few(), Duration::from_secs(3));
    // Each of the eight slow pieces of work may cause a repetition of the work in flight.
    world.interruptions += 8;
    let given_up_at = Instant::now() + LOST_WITHIN;
    while world.logged(LOST)? == 0 && Instant::now() < given_up_at {
        sleep(Duration::from_millis(50)).await;
    }
    if world.logged(LOST)? == 0 {
        world.faults.push("no slow worker lost its lease, so the scenario tested nothing".to_owned());
    }
    world.finish(load).await
}
