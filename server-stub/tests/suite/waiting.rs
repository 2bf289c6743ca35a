//! Waits for conditions. `crash.rs` is the only other file of these tests that sleeps or measures time.

use std::fmt::Debug;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

/// Turns a hang into a failure with a message. No result depends on it.
pub(crate) const GIVE_UP_AFTER: Duration = Duration::from_mins(5);
/// Pause between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until `condition` holds.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    until_ok(what, async || condition().await.then_some(()).ok_or("it does not hold")).await;
}

/// Waits until `find` returns `Ok`, and returns its value. The message of a failure shows the last `Err`.
pub(crate) async fn until_ok<T, E: Debug>(what: &str, mut find: impl AsyncFnMut() -> Result<T, E>) -> T {
    let began = Instant::now();
    loop {
        match find().await {
            Ok(found) => return found,
            Err(state) => give_up_after(began, what, &state),
        }
        // A pause of real time: the runtime's clock may be paused.
        spawn_blocking(|| std::thread::sleep(POLL_INTERVAL)).await.unwrap();
    }
}

/// Waits on this thread until `find` returns `Ok`, and returns its value. The message of a failure shows the last `Err`.
pub(crate) fn until_ok_blocking<T, E: Debug>(what: &str, mut find: impl FnMut() -> Result<T, E>) -> T {
    let began = Instant::now();
    loop {
        match find() {
            Ok(found) => return found,
            Err(state) => give_up_after(began, what, &state),
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn give_up_after(began: Instant, what: &str, state: &impl Debug) {
    assert!(began.elapsed() < GIVE_UP_AFTER, "gave up waiting until {what}: {state:?}");
}

/// Waits for `future`. Panics with `what` if it does not end.
pub(crate) async fn ended<F: Future>(what: &str, future: F) -> F::Output {
    // Real time, because the runtime's clock may be paused.
    let (_is_waiting, is_over) = channel::<()>();
    let given_up = spawn_blocking(move || is_over.recv_timeout(GIVE_UP_AFTER));
    tokio::select! {
        biased;
        output = future => output,
        _ = given_up => panic!("gave up waiting until {what}"),
    }
}
