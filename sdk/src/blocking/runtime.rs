//! The runtime below a blocking client.

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::runtime::{Builder, Handle};
use tokio::task::coop::poll_proceed;

use crate::config::ConfigError;
use crate::error::Error;
use crate::error_kind::ErrorKind;

/// Upper bound of tokio's cooperative budget: the operations that a task may do before it must yield. It is 128 at present.
const MOST_BUDGET: usize = 255;

/// A runtime with one thread, which also serves the connections between calls.
pub(super) struct Runtime(Option<tokio::runtime::Runtime>);

impl Runtime {
    /// Starts the thread.
    pub(super) fn start() -> Result<Self, ConfigError> {
        let built = Builder::new_multi_thread().worker_threads(1).thread_name("contentgen-sdk").enable_all().build();
        let runtime = built.map_err(|error| ConfigError::Transport(format!("cannot start a thread: {error}")))?;
        Ok(Self(Some(runtime)))
    }

    /// Waits for a future. Refused on a thread that polls asynchronous code, because blocking it would stop that code.
    pub(super) fn wait<T>(&self, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        if is_in_asynchronous_code() {
            let message = "a blocking client cannot be used inside asynchronous code; use `contentgen_sdk::Client` there, or \
                 `spawn_blocking` of tokio";
            return Err(Error::new(ErrorKind::Config, message));
        }
        let _entered = self.0.as_ref().expect("the runtime is there until it is dropped").enter();
        block_on_this_thread(future)
    }
}

/// Polls a future on this thread until it is ready, while the runtime's thread serves connections and timers. Tokio's `block_on` would
/// panic on a thread that it takes for a polling one.
fn block_on_this_thread<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        thread::park();
    }
}

/// Wakes a thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Returns true if asynchronous code of tokio is being polled on this thread. Threads of `spawn_blocking` belong to a runtime too, but
/// code on them may block. Only polled code has a limited budget of operations, so this takes budget until it runs out. Afterwards it
/// puts the taken budget back.
fn is_in_asynchronous_code() -> bool {
    if Handle::try_current().is_err() {
        return false;
    }
    let mut context = Context::from_waker(Waker::noop());
    let mut taken = Vec::new();
    let mut has_end = false;
    while !has_end && taken.len() <= MOST_BUDGET {
        match poll_proceed(&mut context) {
            Poll::Ready(operation) => taken.push(operation),
            Poll::Pending => has_end = true,
        }
    }
    // Each permit restores the budget it found, so drop the first one last.
    while taken.pop().is_some() {}
    has_end
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
