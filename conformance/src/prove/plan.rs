//! The plan of a proof: the faults, the server, the number of cases, the parallelism.
//!
//! `run` carries it out.

use contentgen_faults::catalogue::{Fault, all};

use super::matrix::{Matrix, Trial, VERSION};
use super::origin::Origin;
use super::turns::{Turn, Turns};
use crate::runner::{Selection, Settings};
use crate::spec::Profile;

/// Settings of the proof.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The servers to which faults are added.
    pub origin: Origin,
    /// Profile that the healthy server keeps.
    pub profile: Profile,
    /// Seed of every case.
    pub seed: u64,
    /// Selection of faults.
    pub selection: Selection,
    /// True if every requirement runs against every fault, not only those that must notice it.
    pub is_full: bool,
    /// Number of cases of a searched requirement against a fault.
    pub cases: u32,
    /// Number of cases of a searched requirement against the healthy server: as many as in a run with default settings.
    pub healthy_cases: u32,
    /// Number of cases of a searched requirement against a benign variant.
    pub variant_cases: u32,
    /// Number of seeds for the healthy server, from `seed` on.
    pub healthy_seeds: u32,
    /// Number of parallel servers, at least 1.
    pub jobs: usize,
    /// Results of earlier runs, which are not tried again.
    pub known: Vec<Trial>,
    /// Requirements that the server fails without any fault. Their failures are ignored.
    pub failing: Vec<String>,
    /// Turns of the trials that share a server.
    pub turns: Turns,
}

impl Plan {
    /// Returns a plan for the servers of `origin`, which keep `profile` if they are healthy.
    pub fn new(origin: Origin, profile: Profile) -> Self {
        Self {
            origin,
            profile,
            seed: 1,
            selection: Selection::default(),
            is_full: false,
            cases: 48,
            healthy_cases: Settings::default().cases,
            variant_cases: 24,
            healthy_seeds: 1,
            jobs: 8,
            known: Vec::new(),
            failing: Vec::new(),
            turns: Turns::default(),
        }
    }

    /// Returns the faults to try, in order.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let is_known = |fault: &Fault| self.known.iter().any(|trial| trial.name == fault.name);
        let mut chosen: Vec<Fault> =
            all().filter(|fault| self.selection.keeps(fault.name) && !is_known(fault)).collect();
        // A variant needs a whole run. A shared server takes one of them at a time, so they would delay all other trials there.
        let is_late = self.origin.is_shared();
        chosen.sort_by_key(|fault| (fault.area() == "benign") == is_late);
        chosen
    }

    /// Waits until the named requirements can run beside other trials; `None` names all.
    pub(super) async fn turn(&self, named: Option<&[&str]>) -> Turn {
        match named {
            _ if !self.origin.is_shared() => Turn::default(),
            Some(named) => self.turns.of(named).await,
            None => self.turns.all().await,
        }
    }

    /// Adopts the good results of an earlier run with the same seed.
    #[must_use]
    pub fn resuming(mut self, earlier: Matrix) -> Self {
        let names: Vec<&str> = all().map(|fault| fault.name).collect();
        let is_same = earlier.version == VERSION && earlier.seed == self.seed && earlier.full == self.is_full;
        let good = earlier.trials.into_iter().filter(|trial| is_same && trial.verdict.is_good());
        self.known.extend(good.filter(|trial| names.contains(&trial.name.as_str())));
        self
    }

    /// Returns the seeds for the healthy server: none if single faults are selected.
    pub(super) fn healthy_seeds(&self) -> impl Iterator<Item = u64> {
        let count = if self.selection.only.is_empty() || self.healthy_seeds > 1 { self.healthy_seeds } else { 0 };
        let first = self.seed;
        (0..u64::from(count)).map(move |number| first.wrapping_add(number))
    }
}
