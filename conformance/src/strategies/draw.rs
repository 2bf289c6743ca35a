//! Draws one case from a generator seeded by the run, the requirement and the case's index, and shrinks it.

use std::any::Any;
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
///
/// It keeps the values, so that `simplify` makes the case smaller: then draw it again.
pub struct Draw {
    runner: TestRunner,
    index: u32,
    drawn: Vec<Box<dyn Drawn>>,
    /// Number of values that were read since the last simplification.
    read: usize,
    /// Index of the value that is being simplified.
    simplified: usize,
}

/// A `ValueTree` of any type of value.
trait Drawn {
    fn simplify(&mut self) -> bool;
    fn complicate(&mut self) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<Tree: ValueTree + 'static> Drawn for Tree {
    fn simplify(&mut self) -> bool {
        ValueTree::simplify(self)
    }

    fn complicate(&mut self) -> bool {
        ValueTree::complicate(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
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
        let runner = TestRunner::new_with_rng(configuration(), generator);
        Self { runner, index, drawn: Vec::new(), read: 0, simplified: 0 }
    }

    /// Returns the index of the case in its requirement, from 0.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// Returns one value of `strategy`. The order of strategies must not depend on drawn values, except for the bound of `below`:
    /// a simplified value is reused for a strategy of the same type.
    ///
    /// # Panics
    /// Panics if the strategy rejects all its values, which tests of every strategy rule out.
    pub fn value<S: Strategy<Tree: 'static>>(&mut self, strategy: &S) -> S::Value {
        let known = self.drawn.get(self.read).and_then(|drawn| drawn.as_any().downcast_ref::<S::Tree>());
        let value = known.map(ValueTree::current);
        self.read += 1;
        value.unwrap_or_else(|| {
            let tree = strategy.new_tree(&mut self.runner).expect("the suite's strategies accept most of their values");
            let value = tree.current();
            // The values that follow belong to another order.
            self.drawn.truncate(self.read - 1);
            self.drawn.push(Box::new(tree));
            value
        })
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // A simplified value may have led to a lower bound.
        self.value(&(0..bound)) % bound
    }

    /// Simplifies a value of a failing case. Returns false if the case cannot get smaller.
    pub fn simplify(&mut self) -> bool {
        self.read = 0;
        while let Some(value) = self.drawn.get_mut(self.simplified) {
            if value.simplify() {
                return true;
            }
            self.simplified += 1;
        }
        false
    }

    /// Undoes the last simplification in whole or in part, because the simplified case passes. Returns false if the
    /// case cannot get larger.
    pub fn complicate(&mut self) -> bool {
        self.read = 0;
        self.drawn.get_mut(self.simplified).is_some_and(|value| value.complicate())
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
