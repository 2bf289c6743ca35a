//! What stands for randomness in tests of code that makes nothing from it.

use crate::domain::randomness::Randomness;

#[derive(Debug)]
pub(super) struct NoRandomness;

impl Randomness for NoRandomness {
    fn fill(&self, _: &mut [u8]) {}
}
