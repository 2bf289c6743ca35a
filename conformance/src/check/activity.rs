//! Whether a requirement does something or waits for the target, so that another one can run meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// What waits no longer than this needs nobody's company: the target is quick.
const SHORT: Duration = Duration::from_millis(100);

/// What the cases of one requirement do.
#[derive(Debug, Default)]
pub struct Activity {
    /// Cases that run.
    running: AtomicU32,
    /// Those of them that wait.
    waiting: AtomicU32,
    /// Told whenever one of the numbers changes.
    changed: Arc<Notify>,
}

impl Activity {
    /// One that tells `changed` of every change.
    pub fn new(changed: Arc<Notify>) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Whether all of its cases wait.
    pub fn is_waiting(&self) -> bool {
        let running = self.running.load(Ordering::SeqCst);
        running > 0 && self.waiting.load(Ordering::SeqCst) >= running
    }
}

/// What one case does, from its beginning until this is dropped.
#[derive(Debug)]
pub struct CaseActivity {
    of: Arc<Activity>,
    /// Parts of the case that wait.
    waits: AtomicU32,
}

impl CaseActivity {
    /// A case of `activity` begins.
    pub fn begin(activity: &Arc<Activity>) -> Self {
        activity.running.fetch_add(1, Ordering::SeqCst);
        activity.changed.notify_one();
        Self { of: Arc::clone(activity), waits: AtomicU32::new(0) }
    }

    /// Awaits what only takes time. Once that is longer than a moment, the case is one that waits.
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

/// A part of a case waits until this is dropped.
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
