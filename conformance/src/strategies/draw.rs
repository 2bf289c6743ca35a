//! Draws one case from a generator seeded by the run, the requirement and the case's index.
//!
//! The other files of this module contain the strategies.

use std::fmt;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRng, TestRunner};
use sha2::{Digest, Sha256};

/// Returns the seed of one case. Each case can be drawn alone, independent of earlier ones.
pub fn case_seed(run_seed: u64, requirement: &str, index: u32) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(run_seed.to_le_bytes());
    hasher.update(requirement.as_bytes());
    hasher.update(index.to_le_bytes());
    hasher.finalize().into()
}

/// A source of values for one case.
pub struct Draw {
    runner: TestRunner,
    index: u32,
}

impl fmt::Debug for Draw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Draw({})", self.index)
    }
}

impl Draw {
    /// Returns the source for case `index` of `requirement` in a run with `run_seed`.
    pub fn new(run_seed: u64, requirement: &str, index: u32) -> Self {
        let seed = case_seed(run_seed, requirement, index);
        let generator = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        Self { runner: TestRunner::new_with_rng(configuration(), generator), index }
    }

    /// Returns the index of the case in its requirement, from 0.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// Returns one value of `strategy`.
    ///
    /// # Panics
    /// Panics if the strategy rejects all its values, which tests of every strategy rule out.
    pub fn value<S: Strategy>(&mut self, strategy: &S) -> S::Value {
        strategy.new_tree(&mut self.runner).expect("the suite's strategies accept most of what they draw").current()
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.value(&(0..bound))
    }
}

/// Sets every field, because the default configuration reads the environment.
fn configuration() -> Config {
    Config {
        cases: 1,
        max_local_rejects: 65_536,
        max_global_rejects: 1_024,
        max_flat_map_regens: 1_000,
        failure_persistence: None,
        source_file: None,
        test_name: None,
        max_shrink_time: 0,
        max_shrink_iters: 0,
        max_default_size_range: 16,
        result_cache: proptest::test_runner::noop_result_cache,
        verbose: 0,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0),
        ..Config::default()
    }
}
