//! Posts that are being published, with the number of pushes per website.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};

use crate::domain::publishing_target::{MAX_PUSHES_AT_ONCE, MAX_PUSHES_IN_ALL};
use crate::domain::store::Result;

/// Maximum number of posts published at the same time.
const MAX_IN_FLIGHT: usize = 64;

const _: () = assert!(MAX_PUSHES_IN_ALL < MAX_IN_FLIGHT, "pushes must leave some slots for other posts");

/// Result of a task. `Ok(Ok(()))`: the outcome is recorded, or another process has claimed the post. Otherwise: why recording
/// failed.
pub(super) type Ended = std::result::Result<Result<()>, JoinError>;

/// Posts that are being published.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    tasks: JoinSet<Result<()>>,
    /// Counts the pushes per website: each task holds a clone until it ends, and the map holds one.
    pushes: HashMap<String, Arc<()>>,
}

impl InFlight {
    /// Spawns `work`, which publishes a post. If it pushes, `pushed_for` is the id of the post's website.
    pub(super) fn spawn(
        &mut self,
        pushed_for: Option<String>,
        work: impl Future<Output = Result<()>> + Send + 'static,
    ) {
        let push = pushed_for.map(|website_id| Arc::clone(self.pushes.entry(website_id).or_default()));
        self.tasks.spawn(async move {
            let result = work.await;
            drop(push);
            result
        });
    }

    /// Returns how many more posts may start.
    pub(super) fn free(&self) -> usize {
        MAX_IN_FLIGHT - self.tasks.len()
    }

    /// Returns the number of pushes in flight for each website.
    pub(super) fn pushes(&mut self) -> Vec<(String, usize)> {
        self.pushes.retain(|_, pushes| Arc::strong_count(pushes) > 1);
        self.pushes.iter().map(|(website, pushes)| (website.clone(), Arc::strong_count(pushes) - 1)).collect()
    }

    /// Returns true if a limit is reached, so that a post may have to wait for another one to end.
    pub(super) fn holds_back(&self) -> bool {
        let mut pushes = self.pushes.values().map(|pushes| Arc::strong_count(pushes) - 1);
        let in_all: usize = pushes.clone().sum();
        self.free() == 0 || in_all >= MAX_PUSHES_IN_ALL || pushes.any(|pushes| pushes >= MAX_PUSHES_AT_ONCE)
    }

    /// Returns the result of a task that has ended, if any.
    pub(super) fn try_next(&mut self) -> Option<Ended> {
        self.tasks.try_join_next()
    }

    /// Waits for the next task to end. Returns `None` if nothing is in flight.
    pub(super) async fn next(&mut self) -> Option<Ended> {
        self.tasks.join_next().await
    }
}
