//! The outcome of one requirement, for tests with broken servers.

use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Outcome, Selection, Settings, Suite, Target};

/// Runs one requirement once, without retries.
pub(crate) async fn outcome_of(id: &str, target: Target, seed: u64) -> Outcome {
    let selection = Selection { only: vec![id.to_owned()], skip: Vec::new() };
    let settings = Settings { selection, seed, retries: 0, ..Settings::default() };
    let mut run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    run.results.remove(0).outcome
}
