//! Stops a process, and measures for how long. The oracle takes this time into account.

use std::time::Instant;

use anyhow::Result;
use rustix::process::Signal;

use super::evidence::{Standstill, seconds_now};
use super::world::World;

/// A stopped process.
#[derive(Debug)]
#[must_use]
pub(super) struct Frozen {
    index: usize,
    stopping_since: Instant,
    still_since: u64,
}

impl World {
    /// Stops process number `index` at any point.
    pub(super) async fn freeze(&mut self, index: usize) -> Result<Frozen> {
        let stopping_since = Instant::now();
        self.server(index)?.freeze().await?;
        Ok(Frozen { index, stopping_since, still_since: seconds_now()? })
    }

    /// Lets the process continue.
    pub(super) fn unfreeze(&mut self, Frozen { index, stopping_since, still_since }: Frozen) -> Result<()> {
        let certain = still_since..seconds_now()?;
        self.server(index)?.signal(Signal::CONT)?;
        self.standstills.push(Standstill { certain, longest: stopping_since.elapsed() });
        Ok(())
    }
}
