//! Tracks whether a requirement works or waits for the target, so that another requirement can run meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// Waits up to this length do not let another requirement begin.
const SHORT: Duration = Duration::from_millis(100);

/// Counts of the running and waiting cases of one requirement.
#[derive(Debug, Default)]
pub struct Activity {
    /// Number of running cases.
    running: AtomicU32,
    /// Number of running cases that wait.
    waiting: AtomicU32,
    /// Notified whenever one of the counts changes.
    changed: Arc<Notify>,
}

impl Activity {
    /// Returns an activity that notifies `changed` of every change.
    pub fn new(changed: Arc<Notify>) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Returns true if all of its cases wait.
    pub fn is_waiting(&self) -> bool {
        let running = self.running.load(Ordering::SeqCst);
        running > 0 && self.waiting.load(Ordering::SeqCst) >= running
    }
}

/// Activity of one case, from its beginning until this is dropped.
#[derive(Debug)]
pub struct CaseActivity {
    of: Arc<Activity>,
    /// Number of parts of the case that wait.
    waits: AtomicU32,
}

impl CaseActivity {
    /// Starts a case of `activity`.
    pub fn begin(activity: &Arc<Activity>) -> Self {
        activity.running.fetch_add(1, Ordering::SeqCst);
        activity.changed.notify_one();
        Self { of: Arc::clone(activity), waits: AtomicU32::new(0) }
    }

    /// Awaits a future that only takes time. The case counts as waiting once that takes longer than [`SHORT`].
    pub async fn wait<Output>(&self, future: impl Future<Output = Output>) -> Output {
        tokio::pin!(future);
        tokio::select! {
            biased;
            output = &mut future => return output,
            () = tokio::time::sleep(SHORT) => {}
        }
        let _waiting = Waiting::begin(self);
        future.await
    }
}

impl Drop for CaseActivity {
    fn drop(&mut self) {
        self.of.running.fetch_sub(1, Ordering::SeqCst);
        self.of.changed.notify_one();
    }
}

/// Marks a part of a case as waiting until this is dropped.
struct Waiting<'case>(&'case CaseActivity);

impl<'case> Waiting<'case> {
    fn begin(case: &'case CaseActivity) -> Self {
        if case.waits.fetch_add(1, Ordering::SeqCst) == 0 {
            case.of.waiting.fetch_add(1, Ordering::SeqCst);
            case.of.changed.notify_one();
        }
        Self(case)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.0.waits.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.of.waiting.fetch_sub(1, Ordering::SeqCst);
            self.0.of.changed.notify_one();
        }
    }
}
