//! Where bodies are read that take long: beside the threads that serve everybody. What reading means is each operation's business.

use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The largest body that is read where it arrived, bytes. That takes less than a millisecond, and nearly every body is smaller.
const MAX_SMALL_BYTES: usize = 4 * 1024;

/// Reads large bodies, on half of the cores at most: however many arrive, the others go on.
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
    /// Runs `read`, which reads a body of `bytes`.
    pub(super) async fn read<T: Send + 'static>(&self, bytes: usize, read: impl FnOnce() -> T + Send + 'static) -> T {
        if bytes <= MAX_SMALL_BYTES {
            return read();
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        let reading = spawn_blocking(move || {
            // Kept until the work is done, also when the caller has gone.
            let _permit = permit;
            read()
        });
        reading.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }
}
