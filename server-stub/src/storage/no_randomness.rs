//! Randomness for tests of code that never uses it.

use crate::domain::randomness::Randomness;

#[derive(Debug)]
pub(super) struct NoRandomness;

impl Randomness for NoRandomness {
    fn fill(&self, _: &mut [u8]) {}
}
