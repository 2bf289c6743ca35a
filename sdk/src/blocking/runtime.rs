//! The runtime below a blocking client.

use std::fmt;
use std::future::Future;

use tokio::runtime::Builder;

use crate::config::ConfigError;

/// A runtime with one thread, which also serves the connections between calls.
pub(super) struct Runtime(Option<tokio::runtime::Runtime>);

impl Runtime {
    /// Starts the thread.
    pub(super) fn start() -> Result<Self, ConfigError> {
        let built = Builder::new_multi_thread().worker_threads(1).thread_name("contentgen-sdk").enable_all().build();
        let runtime = built.map_err(|error| ConfigError::Transport(format!("cannot start a thread: {error}")))?;
        Ok(Self(Some(runtime)))
    }

    /// Waits for a future. Panics inside asynchronous code, because blocking its thread would stop that code.
    pub(super) fn wait<F: Future>(&self, future: F) -> F::Output {
        self.0.as_ref().expect("the runtime is there until it is dropped").block_on(future)
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Waiting for the thread would panic if the last client is dropped inside asynchronous code.
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Runtime")
    }
}
