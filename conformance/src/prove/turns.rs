//! Resources for which trials that share a server take turns. Trials with a separate server do not need them.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use crate::check::{Capability, Requirement};
use crate::requirements::catalogue;

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
