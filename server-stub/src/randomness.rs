//! The system's source of random bytes. Other modules receive it as [`Randomness`].

use rand::Rng as _;

use crate::domain::randomness::Randomness;

/// A generator per thread, cryptographically secure and seeded by the operating system. Threads do not wait for each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}
