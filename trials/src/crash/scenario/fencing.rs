//! `fencing`: work that takes longer than its lease, so that two workers write the same article and one of them must not
//! record it.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::world::World;
use super::{Plan, Scenario};

/// What the server logs when somebody else took a job.
const LOST: &str = "claimed by another worker";
/// How long the first of them may take. A worker asks for the jobs whose lease is over at least once a second.
const LOST_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let launch = Launch {
        lease: Duration::from_millis(400),
        // Never: a renewed lease would outlive the work.
        renewal: Some(Duration::from_mins(10)),
        work: "600..900x8,5..45".to_owned(),
        concurrency: 64,
        ..Launch::default()
    };
    let mut world = World::new(&plan.with_rival(), Scenario::Fencing.as_str(), 2, launch).await?;
    world.start_all()?;
    let load = world.load(plan.few(), Duration::from_secs(3));
    // Each of the eight slow pieces may let what is in flight be done again.
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
