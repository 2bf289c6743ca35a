//! The proof against another vendor's server. It keeps the documented facts in its own way.

use std::collections::BTreeSet;

use contentgen_conformance::prove::{Matrix, Origin, Plan, Verdict, faults, run};
use contentgen_conformance::runner::Selection;
use contentgen_conformance::spec::Profile;

use crate::third_party::vendor::{Fault, Vendor};

/// Minimum share of faults that the suite must detect. Skipped faults do not count.
const CAUGHT_PERCENT: usize = 97;

/// Proves the suite on the vendor's server with the faults that `keeps` selects by area.
fn proven(keeps: impl Fn(&str) -> bool) -> Matrix {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let vendor = runtime.block_on(Vendor::start(Fault::None));
    let areas: BTreeSet<&str> = faults().map(|fault| fault.area()).collect();
    // Skip the others instead of selecting these: the healthy server runs only without a selection.
    let skip = areas.into_iter().filter(|area| !keeps(area)).map(ToOwned::to_owned).collect();
    let plan = Plan {
        seed: 3,
        selection: Selection { only: Vec::new(), skip },
        cases: 16,
        healthy_cases: 16,
        jobs: 6,
        ..Plan::new(Origin::Running(Box::new(vendor.target())), Profile::Core)
    };
    run(&plan, &mut |_, _, _| {})
}

fn check(matrix: &Matrix) {
    assert!(matrix.healthy.iter().all(|run| run.failed.is_empty()), "{:#?}", matrix.healthy);
    let (faults, _) = matrix.totals();
    let tried = faults.all - faults.skipped;
    let missed: Vec<_> = matrix.trials.iter().filter(|trial| !trial.verdict.is_good()).collect();
    assert!(faults.good * 100 >= tried * CAUGHT_PERCENT, "{} of {tried}: {missed:#?}", faults.good);
}

#[test]
fn faults_before_a_vendors_server_are_caught_or_skipped_with_a_reason() {
    let matrix = proven(|area| ["auth", "isolation"].contains(&area));
    assert_eq!(matrix.healthy.len(), 1);
    check(&matrix);
    let caught = matrix.trials.iter().filter(|trial| trial.verdict == Verdict::Caught).count();
    assert!(caught >= 2, "{:#?}", matrix.trials);
    for trial in matrix.trials.iter().filter(|trial| trial.verdict == Verdict::Skipped) {
        assert!(trial.remark.as_ref().is_some_and(|reason| reason.len() > 10), "{trial:#?}");
    }
}

#[test]
#[ignore = "takes minutes: the whole catalogue"]
fn the_whole_catalogue_before_a_vendors_server() {
    let matrix = proven(|_| true);
    assert!(matrix.trials.len() >= 600);
    check(&matrix);
}
