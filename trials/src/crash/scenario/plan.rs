//! The settings that all scenarios of a run share, and the function of each scenario.

use std::time::Duration;

use anyhow::Result;

use super::super::database::StoreKind;
use super::super::outcome::Outcome;
use super::super::report::Progress;
use super::{
    Scenario, clock, database_away, disk_full, endpoint_changes, failpoints, fencing, graceful_stop, kill_loop, pause,
    power_loss, publishing, restore,
};
use crate::program::Program;

/// Maximum number of articles that a short scenario requests.
const FEW: u32 = 40;

/// Settings from the command line.
#[derive(Debug, Clone)]
pub(in crate::crash) struct Plan {
    pub(in crate::crash) program: Program,
    pub(in crate::crash) store: StoreKind,
    pub(in crate::crash) database_url: Option<String>,
    pub(in crate::crash) kills: u32,
    pub(in crate::crash) jobs: u32,
    pub(in crate::crash) processes: usize,
    pub(in crate::crash) away: Duration,
    pub(in crate::crash) seed: u64,
}

impl Plan {
    /// Returns the number of articles that a short scenario requests.
    pub(in crate::crash) fn few(&self) -> u32 {
        self.jobs.min(FEW)
    }

    /// Returns the same plan with as many processes as the store supports, for scenarios in which one process continues the work of
    /// another.
    pub(in crate::crash) fn with_rival(&self) -> Self {
        let processes = if self.store == StoreKind::Postgres { 2 } else { 1 };
        Self { processes, ..self.clone() }
    }
}

/// Runs one scenario.
pub(in crate::crash) async fn run(scenario: Scenario, plan: &Plan, progress: &Progress) -> Result<Outcome> {
    match scenario {
        Scenario::KillLoop => kill_loop::run(plan, progress).await,
        Scenario::Publishing => publishing::run(plan, progress).await,
        Scenario::Failpoints => failpoints::run(plan, progress).await,
        Scenario::Fencing => fencing::run(plan).await,
        Scenario::Pause => pause::run(plan).await,
        Scenario::DatabaseAway => database_away::run(plan, progress).await,
        Scenario::DiskFull => disk_full::run(plan, progress).await,
        Scenario::PowerLoss => power_loss::run(plan, progress).await,
        Scenario::Restore => restore::run(plan, progress).await,
        Scenario::EndpointChanges => endpoint_changes::run(plan).await,
        Scenario::GracefulStop => graceful_stop::run(plan).await,
        Scenario::Clock => clock::run(plan, progress).await,
    }
}
