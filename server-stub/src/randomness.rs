//! The system's source of random bytes. Whoever makes ids, keys or secrets is handed it as [`Randomness`].

use rand::Rng as _;

use crate::domain::randomness::Randomness;

/// A generator of each thread's own, fit for keys and seeded by the operating system. Nobody waits for anybody.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}
