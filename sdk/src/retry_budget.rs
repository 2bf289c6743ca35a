//! How many repetitions all calls of a client have together: a token bucket, as the SDKs of AWS have it. A server that is down gets the
//! calls that are made, and not four times as many.

use std::sync::atomic::{AtomicU32, Ordering};

/// How many tokens a repetition takes. A call that succeeds at once puts one back.
const COST: u32 = 5;

/// The tokens that are left.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    tokens: AtomicU32,
    capacity: u32,
}

impl RetryBudget {
    /// A full bucket, for this many repetitions; `u32::MAX` of them are never used up.
    pub(crate) fn new(repetitions: u32) -> Self {
        let capacity = repetitions.saturating_mul(COST);
        Self { tokens: AtomicU32::new(capacity), capacity }
    }

    /// Takes the tokens of a repetition, if there are enough.
    pub(crate) fn take(&self) -> bool {
        if self.capacity == u32::MAX {
            return true;
        }
        let taken = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tokens| tokens.checked_sub(COST));
        taken.is_ok()
    }

    /// Puts back what a call that succeeded has taken, or a token if it was not repeated.
    pub(crate) fn put_back(&self, repetitions: u32) {
        // Most calls find the bucket full: then it is only read, and no other processor has to fetch it again.
        if self.tokens.load(Ordering::Relaxed) < self.capacity {
            let earned = repetitions.saturating_mul(COST).max(1);
            let filled = |tokens: u32| Some(tokens.saturating_add(earned).min(self.capacity));
            // It always succeeds, since there is always a new number.
            let _before = self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, filled);
        }
    }
}
