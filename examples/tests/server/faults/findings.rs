//! Tests faults in several lanes at the same time, and reports all findings together.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};
use std::thread;

use contentgen_faults::catalogue::{self, Fault};
use futures::FutureExt as _;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::until::GIVE_UP_AFTER;

/// Number of lanes. They run at the same time, because some faults only wait.
const LANES: usize = 4;
/// Maximum number of faults for one server. The data that they leave there slows later faults down.
const FAULTS_OF_A_SERVER: usize = 32;

/// Findings about the faults of a lane, one line each.
pub(super) type Findings = Vec<String>;

/// Tests every selected fault, and fails with all findings.
pub(super) fn try_all<L: Future<Output = Findings>>(is_chosen: fn(&Fault) -> bool, try_portion: fn(Vec<Fault>) -> L) {
    let faults: Vec<Fault> = catalogue::all().filter(is_chosen).collect();
    let count = faults.len();
    let stride = count.div_ceil(FAULTS_OF_A_SERVER);
    // Neighbours in the catalogue are similar, also in their speed: spread them over the servers.
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

/// Returns the outcome of a call, or a description if it panicked or exceeded its time limits.
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
