//! The runtime below a blocking client.

use std::fmt;
use std::future::Future;

use tokio::runtime::{Builder, Handle};

use crate::config::ConfigError;
use crate::error::Error;
use crate::error_kind::ErrorKind;

/// A runtime with one thread, which looks after the connections between the calls too.
pub(super) struct Runtime(Option<tokio::runtime::Runtime>);

impl Runtime {
    /// Starts the thread.
    pub(super) fn start() -> Result<Self, ConfigError> {
        let built = Builder::new_multi_thread().worker_threads(1).thread_name("contentgen-sdk").enable_all().build();
        let runtime = built.map_err(|error| ConfigError::Transport(format!("no thread could be started: {error}")))?;
        Ok(Self(Some(runtime)))
    }

    /// Waits for a future. Waiting on a thread of an asynchronous runtime would stop that one, so it is refused.
    pub(super) fn wait<T>(&self, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        if Handle::try_current().is_ok() {
            let message = "a blocking client cannot be used inside asynchronous code; use `contentgen_sdk::Client` there, also inside \
                 `spawn_blocking`, where `Handle::current().block_on(…)` waits for it";
            return Err(Error::new(ErrorKind::Config, message));
        }
        self.0.as_ref().expect("the runtime is there until it is dropped").block_on(future)
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Waiting for its thread would panic where the last client is dropped inside asynchronous code.
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Runtime")
    }
}
