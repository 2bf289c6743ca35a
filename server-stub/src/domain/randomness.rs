//! Source of random bytes for ids, keys and secrets. The system's source is outside of `domain`.

use std::fmt;

/// A source of random bytes: the system in production, a seeded one in tests.
pub trait Randomness: Send + Sync + fmt::Debug {
    /// Fills `bytes`. Keys and secrets are made of them, so in production they must be unguessable.
    fn fill(&self, bytes: &mut [u8]);
}
