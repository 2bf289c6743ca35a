//! What a build with the feature `faults` has: a switch belongs to the threads of one server, so that many servers, each
//! wrong in its own way, run in one process.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Fault;

/// What the threads of one server share.
#[derive(Debug, Clone, Default)]
pub struct Armed {
    name: Option<&'static str>,
    /// What the fault must remember from one request to the next.
    kept: Arc<Mutex<HashMap<String, String>>>,
}

thread_local! {
    static OF_THREAD: RefCell<Armed> = RefCell::default();
}

/// What the calling thread has switched on, for the threads that it starts.
pub fn of_thread() -> Armed {
    OF_THREAD.with_borrow(Clone::clone)
}

impl Armed {
    /// One switch on; with `None` none.
    pub fn with(fault: Option<Fault>) -> Self {
        Self { name: fault.map(|fault| fault.name), kept: Arc::default() }
    }

    /// Whether anything is switched on.
    pub(crate) const fn is_armed(&self) -> bool {
        self.name.is_some()
    }

    /// Makes it that of the calling thread.
    pub fn take_up(&self) {
        OF_THREAD.set(self.clone());
    }
}

impl Fault {
    /// Whether the server that the calling thread works for has it.
    pub fn is_on(self) -> bool {
        OF_THREAD.with_borrow(|armed| armed.name == Some(self.name))
    }

    /// What was kept under `key`, if this is on.
    pub(crate) fn recall(self, key: &str) -> Option<String> {
        let kept = || of_thread().kept.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        self.is_on().then(kept).flatten()
    }

    /// Keeps `value` under `key`, if this is on.
    pub(crate) fn keep(self, key: &str, value: &str) {
        if self.is_on() {
            let kept = of_thread().kept;
            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), value.to_owned());
        }
    }
}
