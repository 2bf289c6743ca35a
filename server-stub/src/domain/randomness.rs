//! Where ids, keys and secrets get their random bytes from. The system's source is outside of `domain`.

use std::fmt;

/// A source of random bytes: the system in production, a seeded one in tests.
pub trait Randomness: Send + Sync + fmt::Debug {
    /// Fills `bytes`. They decide keys and secrets, so in production nobody may be able to guess them.
    fn fill(&self, bytes: &mut [u8]);
}
