//! Trying faults in several lanes at the same time, and telling everything that was found at once.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};
use std::thread;

use contentgen_faults::catalogue::{self, Fault};
use futures::FutureExt as _;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::until::GIVE_UP_AFTER;

/// How many lanes there are: some faults only wait.
const LANES: usize = 4;
/// How many faults one server serves, before what they left behind in it slows the others down.
const FAULTS_OF_A_SERVER: usize = 32;

/// What was found about the faults of a lane, a line for each finding.
pub(super) type Findings = Vec<String>;

/// Tries every fault that is chosen, and fails with all findings.
pub(super) fn try_all<L: Future<Output = Findings>>(is_chosen: fn(&Fault) -> bool, try_portion: fn(Vec<Fault>) -> L) {
    let faults: Vec<Fault> = catalogue::all().filter(is_chosen).collect();
    let count = faults.len();
    let stride = count.div_ceil(FAULTS_OF_A_SERVER);
    // Neighbours in the catalogue are alike, also in how slow they are: they are spread over the servers.
    let portion = |first: usize| faults.iter().copied().skip(first).step_by(stride).collect::<Vec<_>>();
    let portions = Mutex::new((0..stride).map(portion).collect::<Vec<_>>());
    let next = || portions.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let lane = || {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads are to be had");
        std::iter::from_fn(next).flat_map(|faults| runtime.block_on(try_portion(faults))).collect::<Findings>()
    };
    let mut findings = thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().flat_map(|lane| lane.join().expect("no lane panics")).collect::<Findings>()
    });
    findings.sort();
    assert!(findings.is_empty(), "{} findings about {count} faults:\n{}", findings.len(), findings.join("\n"));
}

/// What a call led to; words where it panicked, or went on beyond its own limits.
pub(super) async fn watched<T>(call: impl Future<Output = T>) -> Result<T, String> {
    match timeout(2 * GIVE_UP_AFTER, AssertUnwindSafe(call).catch_unwind()).await {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(panic)) => Err(format!("panicked: {}", words_of(&*panic))),
        Err(_) => Err("continued beyond its limits".to_owned()),
    }
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without words")
}
