//! `disk-full`: the database's files cannot grow for a while. A limit on the size of the process's files replaces a full disk, because it
//! needs neither a separate file system nor the rights to mount one.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::sleep;

use super::super::database::Database;
use super::super::launch::Launch;
use super::super::outcome::Outcome;
use super::super::report::Progress;
use super::super::world::World;
use super::{Plan, Scenario};

/// Maximum time until the server must refuse to enqueue.
const REFUSED_WITHIN: Duration = Duration::from_secs(20);
/// Time for which the disk stays full after the first refusal.
const FULL: Duration = Duration::from_secs(2);

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let name = Scenario::DiskFull.as_str();
    if std::process::Command::new("prlimit").arg("--version").output().is_err() {
        return Ok(Outcome::skipped(name, "the command prlimit (Linux, util-linux) is not installed"));
    }
    let launch = Launch { survives_full_disk: true, ..Launch::default() };
    let mut world = World::new(plan, name, 5, launch).await?;
    let Database::Sqlite(path) = world.database.clone() else {
        world.database.remove().await?;
        return Ok(Outcome::skipped(name, "this command does not fill the disk of a PostgreSQL server"));
    };
    world.start_all()?;
    // A server need not be able to start on a full disk.
    if !world.wait_until_ready().await? {
        return world.judge().await;
    }
    let first = world.load(plan.few() / 2, Duration::from_secs(1));
    world.live(800, 1200).await;
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let size = [path, log].iter().filter_map(|path| std::fs::metadata(path).ok()).map(|file| file.len()).max();
    world.server(0)?.limit_files(size).await?;
    progress.say("the disk is full".to_owned());
    let second = world.load(plan.few(), Duration::from_secs(1));
    let given_up_at = Instant::now() + REFUSED_WITHIN;
    while world.promises.server_errors.load(Ordering::SeqCst) == 0 && Instant::now() < given_up_at {
        sleep(Duration::from_millis(20)).await;
    }
    if world.promises.server_errors.load(Ordering::SeqCst) == 0 {
        world.faults.push("no response was 5xx, although nothing could be written".to_owned());
    }
    sleep(FULL).await;
    if let Some(status) = world.server(0)?.ended()? {
        world.faults.push(format!("the server ended because of the full disk: {status}"));
        world.start(0)?;
    } else {
        world.server(0)?.limit_files(None).await?;
    }
    // Attempts that could not be recorded are repeated.
    world.interruptions += 1;
    progress.say("there is space again".to_owned());
    if let Err(error) = first.finish(world.patience).await {
        world.faults.push(format!("{error:#}"));
    }
    world.finish(second).await
}
