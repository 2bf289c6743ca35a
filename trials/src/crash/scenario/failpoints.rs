//! `failpoints`: one run for each place where a crash would do the most damage. The process ends itself there and is started again.

use std::time::Duration;

use anyhow::Result;
use rand::RngExt as _;

use super::super::launch::Launch;
use super::super::outcome::{Outcome, Tally};
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

/// The places, as the server names them, and the highest passage at which the process may end: about as many as a load makes.
const POINTS: [(&str, u32); 8] = [
    ("job-after-claim", 3),
    ("job-after-generation", 10),
    ("writer-before-commit", 40),
    ("writer-after-commit", 40),
    ("hook-before-http", 20),
    ("hook-after-http", 20),
    ("overdue-jobs-failed", 2),
    ("publish-before-record", 5),
];
/// Approximate duration of one load.
const SPAN: Duration = Duration::from_secs(1);
/// Time for a load to bring the process to the place before more articles are requested: the other processes may have done most of the
/// work.
const ROUND: Duration = Duration::from_secs(4);
/// Number of loads after which a place counts as never passed.
const ROUNDS: u32 = 8;

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let mut all = Outcome::judged(Scenario::Failpoints.as_str(), Tally::default(), Vec::new());
    for (number, (point, passages)) in (0..).zip(POINTS) {
        progress.say(point.to_owned());
        all.add(end_at(plan, point, passages, number).await?);
    }
    Ok(all)
}

async fn end_at(plan: &Plan, point: &str, passages: u32, number: u64) -> Result<Outcome> {
    let mut world = World::new(plan, Scenario::Failpoints.as_str(), 100 + number, Launch::default()).await?;
    let hit = world.random.random_range(1..=passages);
    world.launch.stop_at = Some(format!("{point}:{hit}"));
    world.start(0)?;
    world.launch.stop_at = None;
    for index in 1..world.servers.len() {
        world.start(index)?;
    }
    let jobs = plan.few() / 2;
    let mut load = world.load(jobs, SPAN);
    let mut ended = world.server(0)?.wait(ROUND).await?;
    for _ in 1..ROUNDS {
        if ended.is_some() {
            break;
        }
        world.more(&mut load, jobs, SPAN);
        ended = world.server(0)?.wait(ROUND).await?;
    }
    match ended {
        // An abort is a signal and has no exit code.
        Some(status) if status.code().is_none() => {
            world.tally.kills += 1;
            world.interruptions += 1;
            world.restart(0)?;
        }
        Some(status) => {
            world.faults.push(format!("{point}:{hit}: the process ended with {status}, not by its failpoint"));
        }
        None => world.faults.push(format!("{point}:{hit} was never reached")),
    }
    world.finish(load).await
}
