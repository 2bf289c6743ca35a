//! `restore`: makes a backup while the server works, kills the server, loses its files, and continues from the backup. Work acknowledged
//! before the backup began must be present; later work is lost with the files.

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
    // The backup must be made while the server works.
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
    // Adds acknowledged work that the backup does not have.
    world.more(&mut load, plan.few(), Duration::from_secs(1));
    world.live(500, 1000).await;
    world.kill(0).await?;
    drop(load);
    // All requests sent before the kill are recorded by now, and can be removed.
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

/// Returns the endpoints and events of the deliveries that are done in the backup.
fn recorded_deliveries(world: &World, backup: &Path) -> Result<BTreeSet<(usize, String)>> {
    let deliveries = state::read(&mut SqliteLedger::open(backup)?)?.deliveries;
    let done = deliveries.into_iter().filter(|delivery| delivery.status == "succeeded");
    let place = |id: &str| world.endpoints.iter().position(|endpoint| endpoint.id == id);
    Ok(done.filter_map(|delivery| Some((place(&delivery.endpoint_id)?, delivery.event_id))).collect())
}

/// Removes the database, and copies the backup to its place.
fn replace(path: &Path, backup: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{suffix}", path.display()));
        if file.exists() {
            std::fs::remove_file(file)?;
        }
    }
    std::fs::rename(backup, path).context("the backup cannot replace the database")
}
