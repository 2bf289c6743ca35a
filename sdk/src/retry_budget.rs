//! Retry budget that all calls of a client share: a token bucket, as in the SDKs of AWS. A server that is down then receives about one
//! request per call instead of four.

use std::sync::atomic::{AtomicU32, Ordering};

/// Number of tokens that a retry takes. A call that succeeds at once puts one back.
const COST: u32 = 5;

/// The remaining tokens.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    tokens: AtomicU32,
    capacity: u32,
}

impl RetryBudget {
    /// Makes a full bucket for this many retries. `u32::MAX` means no limit.
    pub(crate) fn new(retries: u32) -> Self {
        let capacity = retries.saturating_mul(COST);
        Self { tokens: AtomicU32::new(capacity), capacity }
    }

    /// Takes the tokens of a retry, if there are enough.
    pub(crate) fn take(&self) -> bool {
        if self.capacity == u32::MAX {
            return true;
        }
        let taken = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tokens| tokens.checked_sub(COST));
        taken.is_ok()
    }

    /// Puts back the tokens that a successful call has taken, or one token if it was not retried.
    pub(crate) fn put_back(&self, retries: u32) {
        // Most calls find a full bucket. They only read it, so other processors keep their cached copy.
        if self.tokens.load(Ordering::Relaxed) < self.capacity {
            let earned = retries.saturating_mul(COST).max(1);
            let filled = |tokens: u32| Some(tokens.saturating_add(earned).min(self.capacity));
            // Always succeeds, since the closure always returns a number.
            let _before = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, filled);
        }
    }
}
