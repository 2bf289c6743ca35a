//! `endpoint-changes`: a hook endpoint is removed while deliveries to it are in flight.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::receiver::Manner;
use super::super::registration::ACCOUNT;
use super::super::world::World;
use super::{Plan, Scenario};

/// Maximum number of requests to one endpoint that each process has in flight.
const IN_FLIGHT: usize = 5;
/// Maximum time of a request in flight on one machine, which may be slow.
const ARRIVED_WITHIN: Duration = Duration::from_secs(5);
/// Maximum time from the start until the first request to an endpoint.
const BEGUN_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(plan: &Plan) -> Result<Outcome> {
    let mut world = World::new(plan, Scenario::EndpointChanges.as_str(), 7, Launch::default()).await?;
    world.start_all()?;
    let mut load = world.load(plan.few(), Duration::from_secs(3));
    // The endpoint that fails at first: it has the most waiting deliveries.
    let index = Manner::ALL.iter().position(|manner| *manner == Manner::FailsAtFirst).unwrap_or_default();
    if !is_sent_to(&world, index).await {
        world.faults.push("nothing was sent to the endpoint before it was removed".to_owned());
    }
    world.live(1000, 2000).await;
    let (address, id) = (world.database.address(), world.endpoints[index].id.clone());
    world.program.run_command(world.folder.path(), &address, &["hook", "remove", "--account", ACCOUNT, "--id", &id])?;
    let removed_at = Instant::now();
    world.endpoints[index].is_removed = true;
    sleep(ARRIVED_WITHIN).await;
    // All earlier requests are done by now, so add new ones: the kill must interrupt some work.
    world.more(&mut load, plan.few() / 2, Duration::from_secs(1));
    world.live(300, 900).await;
    world.kill(0).await?;
    world.restart(0)?;
    let processes = world.servers.len();
    // Once the other endpoints have received everything, all other work is done, too.
    if let Err(error) = load.finish(world.patience).await {
        world.faults.push(format!("{error:#}"));
    }
    let rest = world.load(plan.few() / 4, Duration::from_millis(500));
    sleep(Duration::from_secs(2)).await;
    world.settle(rest).await?;
    let received = world.receiver.received();
    let later = received.iter().filter(|request| request.endpoint == index && request.arrived > removed_at);
    let later: Vec<Duration> = later.map(|request| request.arrived - removed_at).collect();
    if later.len() > IN_FLIGHT * processes || later.iter().any(|after| *after > ARRIVED_WITHIN) {
        let last = later.last().copied().unwrap_or_default();
        world.faults.push(format!("{} requests arrived after the removal, the last {last:?} later", later.len()));
    }
    world.judge().await
}

/// Waits for a request to endpoint number `index`; returns true if one arrived in time.
async fn is_sent_to(world: &World, index: usize) -> bool {
    let given_up_at = Instant::now() + BEGUN_WITHIN;
    loop {
        if world.receiver.received().iter().any(|request| request.endpoint == index) {
            return true;
        }
        if Instant::now() >= given_up_at {
            return false;
        }
        sleep(Duration::from_millis(20)).await;
    }
}
