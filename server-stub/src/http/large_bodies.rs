//! Parses large bodies on separate threads, so that they do not delay other requests.

use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Maximum size in bytes of a body that is parsed on the current thread. That takes less than a millisecond, and most bodies
/// are smaller.
const MAX_SMALL_BYTES: usize = 4 * 1024;

/// Parses large bodies on at most half of the cores, so that other requests continue however many arrive.
#[derive(Debug)]
pub(super) struct LargeBodies {
    permits: Arc<Semaphore>,
}

impl Default for LargeBodies {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new((cores / 2).max(1))) }
    }
}

impl LargeBodies {
    /// Runs `read`, which parses a body of `bytes` bytes.
    pub(super) async fn read<T: Send + 'static>(&self, bytes: usize, read: impl FnOnce() -> T + Send + 'static) -> T {
        if bytes <= MAX_SMALL_BYTES {
            return read();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        let reading = spawn_blocking(move || {
            // Keep the permit until the work is done, even if the caller is gone.
            let _permit = permit;
            read()
        });
        reading.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }
}
