//! What an ordinary build has: every switch is off, and the compiler removes what lies behind it.

#![expect(clippy::unused_self, clippy::trivially_copy_pass_by_ref, reason = "the same calls as with the feature")]

use super::Fault;

/// Nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Armed;

impl Fault {
    /// Never.
    #[inline]
    pub(crate) const fn is_on(self) -> bool {
        false
    }

    /// Nothing is kept.
    #[inline]
    pub(crate) fn recall(self, _key: &str) -> Option<String> {
        None
    }

    /// Keeps nothing.
    #[inline]
    pub(crate) const fn keep(self, _key: &str, _value: &str) {}
}

/// What the calling thread has switched on.
#[inline]
pub(crate) const fn of_thread() -> Armed {
    Armed
}

impl Armed {
    /// Nothing.
    #[inline]
    pub(crate) const fn take_up(&self) {}
}
