//! `power-loss`: copies the files at a random moment and opens the copies. The server is stopped during the copy, because a power cut
//! affects both files at once. This cannot detect a disk that loses data which it reported as written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use super::super::database::Database;
use super::super::launch::Launch;
use super::super::ledger::Ledger as _;
use super::super::ledger_sqlite::SqliteLedger;
use super::super::outcome::Outcome;
use super::super::report::Progress;
use super::super::state;
use super::super::world::World;
use super::{Plan, Scenario};

/// Number of simulated power cuts.
const CUTS: u32 = 12;

pub(super) async fn run(plan: &Plan, progress: &Progress) -> Result<Outcome> {
    let name = Scenario::PowerLoss.as_str();
    // The server itself keeps running; the copies are only read.
    let launch = Launch::slow_to_commit().undisturbed();
    let mut world = World::new(plan, name, 6, launch).await?;
    let Database::Sqlite(path) = world.database.clone() else {
        world.database.remove().await?;
        let reason = "it needs a separate PostgreSQL server that may be killed";
        return Ok(Outcome::skipped(name, reason));
    };
    world.start_all()?;
    let load = world.load(plan.few() * 2, Duration::from_secs(4));
    let copies = tempfile::tempdir()?;
    for number in 1..=CUTS {
        world.live(20, 500).await;
        // Work acknowledged before the copy must be in it; work acknowledged during the copy may be.
        let promised = world.promises.acknowledged();
        let frozen = world.freeze(0).await?;
        let copy = copies.path().join(format!("cut-{number}.db"));
        let copied = copy_files(&path, &copy);
        world.unfreeze(frozen)?;
        copied?;
        let mut ledger = SqliteLedger::open(&copy)?;
        let damage = ledger.damage()?;
        world.faults.extend(damage.into_iter().map(|line| format!("cut {number}: {line}")));
        let jobs = state::read(&mut ledger)?.jobs;
        let stored: BTreeSet<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
        let lost = promised.iter().filter(|promise| !stored.contains(promise.job_id.as_str()));
        world.faults.extend(
            lost.map(|promise| format!("cut {number}: {} was acknowledged, but does not exist", promise.job_id)),
        );
        world.tally.kills += 1;
        progress.say(format!("cut {number} of {CUTS}, {} jobs acknowledged", promised.len()));
    }
    world.finish(load).await
}

/// Copies the file and its write-ahead log; the shared memory does not survive a power cut.
fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let log_of = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    std::fs::copy(from, to)?;
    if log_of(from).exists() {
        std::fs::copy(log_of(from), log_of(to))?;
    }
    Ok(())
}
