//! `restore`: a backup is made while the server works, the server is killed, its files are lost, and another goes on from the
//! backup. What was acknowledged before the backup began must be there; what came later is gone with the files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::super::database::Database;
use super::super::launch::Launch;
use super::super::ledger_sqlite::SqliteLedger;
use super::super::outcome::Outcome;
use super::super::report::Progress;
use super::super::state;
use super::super::world::World;
use super::{Plan, Scenario};

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let name = Scenario::Restore.as_str();
    let mut world = World::new(plan, name, 11, Launch::slow_to_commit()).await?;
    let Database::Sqlite(path) = world.database.clone() else {
        world.database.remove().await?;
        return Ok(Outcome::skipped(name, "it does not apply to PostgreSQL, which has pg_dump"));
    };
    world.start_all()?;
    // The backup is to be one of a server at work.
    if !world.wait_until_ready().await? {
        return world.judge().await;
    }
    let mut load = world.load(plan.few(), Duration::from_secs(2));
    world.live(800, 1500).await;

    let promised = world.promises.snapshot();
    let began = Instant::now();
    let backup = world.folder.path().join("backup.db");
    back_up(&world, &backup).await?;
    progress.say(format!("backup made, {} jobs acknowledged before", promised.acknowledged().len()));
    // More is promised that the backup does not have.
    world.more(&mut load, plan.few(), Duration::from_secs(1));
    world.live(500, 1000).await;
    world.kill(0).await?;
    drop(load);
    // What it sent just before is written down by now, and can be forgotten.
    world.receiver.wait_until_disconnected().await?;

    let recorded = recorded_deliveries(&world, &backup)?;
    world.receiver.forget(|request| {
        request.arrived >= began && !recorded.contains(&(request.endpoint, request.webhook_id.clone()))
    });
    world.promises = Arc::new(promised);
    replace(&path, &backup)?;
    world.restart(0)?;
    let load = world.load(plan.few() / 2, Duration::from_secs(1));
    world.finish(load).await
}

async fn back_up(world: &World, backup: &Path) -> Result<()> {
    let (program, folder, address) = (world.program.clone(), world.folder.path().to_owned(), world.database.address());
    let backup = backup.to_str().context("the path of the backup is not UTF-8")?.to_owned();
    tokio::task::spawn_blocking(move || program.run_command(&folder, &address, &["backup", &backup])).await??;
    Ok(())
}

/// The endpoints and events of the deliveries that the backup has as done.
fn recorded_deliveries(world: &World, backup: &Path) -> Result<BTreeSet<(usize, String)>> {
    let deliveries = state::read(&mut SqliteLedger::open(backup)?)?.deliveries;
    let done = deliveries.into_iter().filter(|delivery| delivery.status == "succeeded");
    let place = |id: &str| world.endpoints.iter().position(|endpoint| endpoint.id == id);
    Ok(done.filter_map(|delivery| Some((place(&delivery.endpoint_id)?, delivery.event_id))).collect())
}

/// Loses the database, and puts the backup in its place.
fn replace(path: &Path, backup: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{suffix}", path.display()));
        if file.exists() {
            std::fs::remove_file(file)?;
        }
    }
    std::fs::rename(backup, path).context("the backup cannot replace the database")
}
