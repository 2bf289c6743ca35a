//! What is proven: which faults, on which server, with how many cases, how many at a time.
//!
//! Carrying it out is in `run`.

use contentgen_faults::catalogue::{Fault, all};

use super::matrix::{Matrix, VERSION};
use super::origin::Origin;
use super::trial::Trial;
use super::turns::{Turn, Turns};
use crate::runner::{Selection, Settings};
use crate::spec::Profile;

/// How the proof is made.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The servers that are spoiled.
    pub origin: Origin,
    /// What the server keeps when it is healthy.
    pub profile: Profile,
    /// Seed of every case.
    pub seed: u64,
    /// Which faults.
    pub selection: Selection,
    /// Whether every requirement is run against every fault, and not only those that must notice it.
    pub is_full: bool,
    /// Cases of a searched requirement against a fault.
    pub cases: u32,
    /// Cases of a searched requirement against the healthy server: as many as in a run with default settings.
    pub healthy_cases: u32,
    /// Cases of a searched requirement against a benign variant.
    pub variant_cases: u32,
    /// Seeds with which the healthy server is run, from `seed` on.
    pub healthy_seeds: u32,
    /// Servers at a time, at least 1.
    pub jobs: usize,
    /// What earlier runs decided and is not tried again.
    pub known: Vec<Trial>,
    /// Requirements that the server fails without any fault: that they fail says nothing.
    pub failing: Vec<String>,
    /// Whose turn it is, where all trials share a server.
    pub turns: Turns,
}

impl Plan {
    /// A plan for the servers of `origin`, which keep `profile` when they are healthy.
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

    /// The faults that are tried, in order.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let is_known = |fault: &Fault| self.known.iter().any(|trial| trial.name == fault.name);
        let mut chosen: Vec<Fault> =
            all().filter(|fault| self.selection.keeps(fault.name) && !is_known(fault)).collect();
        // A variant needs a whole run. A shared server takes one of them at a time, so they would hold everything else up there.
        let is_late = self.origin.is_shared();
        chosen.sort_by_key(|fault| (fault.area() == "benign") == is_late);
        chosen
    }

    /// Waits until the named requirements can be run beside other trials; `None` names all.
    pub(super) async fn turn(&self, named: Option<&[&str]>) -> Turn {
        match named {
            _ if !self.origin.is_shared() => Turn::default(),
            Some(named) => self.turns.of(named).await,
            None => self.turns.all().await,
        }
    }

    /// Takes over what an earlier run with the same seed decided well.
    #[must_use]
    pub fn resuming(mut self, earlier: Matrix) -> Self {
        let names: Vec<&str> = all().map(|fault| fault.name).collect();
        let is_same = earlier.version == VERSION && earlier.seed == self.seed && earlier.full == self.is_full;
        let good = earlier.trials.into_iter().filter(|trial| is_same && trial.verdict.is_good());
        self.known.extend(good.filter(|trial| names.contains(&trial.name.as_str())));
        self
    }

    /// Whether the healthy server is run: not when single faults were asked for.
    pub(super) fn healthy_seeds(&self) -> impl Iterator<Item = u64> {
        let count = if self.selection.only.is_empty() || self.healthy_seeds > 1 { self.healthy_seeds } else { 0 };
        let first = self.seed;
        (0..u64::from(count)).map(move |number| first.wrapping_add(number))
    }
}
