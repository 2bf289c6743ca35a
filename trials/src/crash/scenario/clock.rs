//! `clock`: the wall clock jumps an hour ahead and back, and an hour back. Nothing may hang or be lost because of it.

use std::time::Duration;

use anyhow::Result;

use super::super::launch::Launch;
use super::super::outcome::{Outcome, Tally};
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

/// The jumps of each run. Work that waits for the clock to return waits for an hour, much longer than the end may take.
const JUMPS: [&str; 2] = ["+3600s@2s,-3600s@4s", "-3600s@2s"];

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let mut all = Outcome::judged(Scenario::Clock.as_str(), Tally::default(), Vec::new());
    for (number, jumps) in (0..).zip(JUMPS) {
        progress.say(jumps.to_owned());
        let launch = Launch { clock: Some(jumps.to_owned()), ..Launch::default().undisturbed() };
        let mut world = World::new(plan, Scenario::Clock.as_str(), 200 + number, launch).await?;
        world.start_all()?;
        let load = world.load(plan.few(), Duration::from_secs(5));
        all.add(world.finish(load).await?);
    }
    Ok(all)
}
