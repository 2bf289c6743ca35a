//! Posts that are being published at this moment, and how many of them go to the system of each website.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};

use crate::domain::publishing_target::{MAX_PUSHES_AT_ONCE, MAX_PUSHES_IN_ALL};
use crate::domain::store::Result;

/// Posts that are being published at a time.
const MAX_IN_FLIGHT: usize = 64;

const _: () = assert!(MAX_PUSHES_IN_ALL < MAX_IN_FLIGHT, "some places are left for what is not pushed");

/// How a task ended: well where what became of its post is recorded, or another process has taken the post; else why it could not be
/// recorded.
pub(super) type Ended = std::result::Result<Result<()>, JoinError>;

/// The posts that are being published.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    tasks: JoinSet<Result<()>>,
    /// A copy for each task that pushes, however the task ends, and the one here.
    pushes: HashMap<String, Arc<()>>,
}

impl InFlight {
    /// Publishes a post by `work`, which goes on by itself. `pushed_for` names the website whose system is asked, if one is.
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

    /// How many more may begin.
    pub(super) fn free(&self) -> usize {
        MAX_IN_FLIGHT - self.tasks.len()
    }

    /// How many are pushed to the system of each website.
    pub(super) fn pushes(&mut self) -> Vec<(String, usize)> {
        self.pushes.retain(|_, pushes| Arc::strong_count(pushes) > 1);
        self.pushes.iter().map(|(website, pushes)| (website.clone(), Arc::strong_count(pushes) - 1)).collect()
    }

    /// Whether a post may have to wait until another one has ended.
    pub(super) fn holds_back(&self) -> bool {
        let mut pushes = self.pushes.values().map(|pushes| Arc::strong_count(pushes) - 1);
        let in_all: usize = pushes.clone().sum();
        self.free() == 0 || in_all >= MAX_PUSHES_IN_ALL || pushes.any(|pushes| pushes >= MAX_PUSHES_AT_ONCE)
    }

    /// One that has ended, if one has.
    pub(super) fn try_next(&mut self) -> Option<Ended> {
        self.tasks.try_join_next()
    }

    /// The next one that ends; `None` where nothing is in flight.
    pub(super) async fn next(&mut self) -> Option<Ended> {
        self.tasks.join_next().await
    }
}
