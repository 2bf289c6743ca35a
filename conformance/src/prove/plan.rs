//! The plan of a proof: the faults, the server, the number of cases, the parallelism, the turns of trials that share a server.

use std::sync::Arc;

use contentgen_faults::catalogue::{Fault, all};
use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::matrix::{Matrix, Trial, VERSION};
use super::origin::Origin;
use crate::check::{Capability, Requirement};
use crate::requirements::catalogue;
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

/// Maximum number of parallel trials that register webhook endpoints: a run registers up to four, and an account has ten.
const REGISTERING: u32 = 2;

/// The parts of a shared server that few trials can use at the same time. Clones share them.
#[derive(Debug, Clone)]
pub struct Turns {
    small_quota: Arc<Mutex<()>>,
    other_account: Arc<Mutex<()>>,
    /// The website that is paused. A check that waits for it uses up its time.
    pausable_website: Arc<Mutex<()>>,
    registering: Arc<Semaphore>,
}

/// A trial's turn. It ends when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Turn {
    _small_quota: Option<OwnedMutexGuard<()>>,
    _other_account: Option<OwnedMutexGuard<()>>,
    _pausable_website: Option<OwnedMutexGuard<()>>,
    _registering: Option<OwnedSemaphorePermit>,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            small_quota: Arc::default(),
            other_account: Arc::default(),
            pausable_website: Arc::default(),
            registering: Arc::new(Semaphore::new(REGISTERING as usize)),
        }
    }
}

impl Turns {
    /// Waits for the resources of these requirements.
    pub(super) async fn of(&self, ids: &[&str]) -> Turn {
        let named: Vec<Requirement> = catalogue().into_iter().filter(|one| ids.contains(&one.id)).collect();
        let needs = |capability| named.iter().any(|one| one.needs.contains(&capability));
        let exclusive = [needs(Capability::SMALL_QUOTA), needs(Capability::ISOLATION), needs(Capability::PAUSING)];
        self.take(exclusive, u32::from(needs(Capability::HOOKS))).await
    }

    /// Waits until no other trial uses any resource.
    pub(super) async fn all(&self) -> Turn {
        self.take([true; 3], REGISTERING).await
    }

    /// Takes the locks in one order, so that no two trials wait for each other.
    async fn take(&self, [small_quota, other_account, pausable_website]: [bool; 3], registering: u32) -> Turn {
        let locked = async |wanted: bool, mutex: &Arc<Mutex<()>>| {
            if wanted { Some(Arc::clone(mutex).lock_owned().await) } else { None }
        };
        Turn {
            _small_quota: locked(small_quota, &self.small_quota).await,
            _other_account: locked(other_account, &self.other_account).await,
            _pausable_website: locked(pausable_website, &self.pausable_website).await,
            // The semaphore is never closed.
            _registering: Arc::clone(&self.registering).acquire_many_owned(registering).await.ok(),
        }
    }
}
