//! The threads of a store. They end with it: in order if PostgreSQL responds, after a time limit if it does not.

use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::Builder;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// Maximum time for the threads to finish waiting work.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum time for the threads to end after they are cut off.
const CUT_OFF_TIMEOUT: Duration = Duration::from_millis(500);

/// Threads that end when their queues are closed. Dropping this waits for them, up to a limit, because the dropping thread may
/// have other work.
pub(super) struct Threads {
    /// Cancelled when threads must stop waiting for PostgreSQL.
    cut_off: CancellationToken,
    /// Each thread owns a clone.
    running: Option<mpsc::Sender<()>>,
    /// Disconnected when all threads have ended.
    ended: Mutex<mpsc::Receiver<()>>,
}

impl Threads {
    /// Starts without threads.
    pub(super) fn new() -> Self {
        let (running, ended) = mpsc::channel();
        Self { cut_off: CancellationToken::new(), running: Some(running), ended: Mutex::new(ended) }
    }

    /// Returns the token that ends each wait of a thread.
    pub(super) fn cut_off(&self) -> CancellationToken {
        self.cut_off.clone()
    }

    /// Starts a thread. Its waits must end with [`Threads::cut_off`].
    pub(super) fn start(&self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let running = self.running.clone();
        Builder::new().name(format!("postgres-{name}")).spawn(move || {
            work();
            drop(running);
        })?;
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        drop(self.running.take());
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        if ended.recv_timeout(CLOSE_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
            tracing::warn!("PostgreSQL does not respond; unfinished operations are abandoned");
            self.cut_off.cancel();
            // A thread that resolves a host name cannot be cut off. It ends by itself, or with the process.
            let _ = ended.recv_timeout(CUT_OFF_TIMEOUT);
        }
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Threads").finish_non_exhaustive()
    }
}
