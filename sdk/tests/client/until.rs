//! Waits for conditions. No other file of these tests sleeps.

use std::time::Duration;

use tokio::task::spawn_blocking;

/// Turns a hang into a failure. No test is judged by it.
pub(crate) const GIVE_UP_AFTER: Duration = Duration::from_secs(5 * 60);
/// Pause between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Waits until `find` returns something, and returns it.
pub(crate) async fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let checks = GIVE_UP_AFTER.as_millis() / POLL_INTERVAL.as_millis();
    for _ in 0..checks {
        if let Some(found) = find().await {
            return found;
        }
        breathe().await;
    }
    panic!("gave up waiting until {what}");
}

/// Waits for a moment of real time, even if the runtime's clock is paused.
pub(crate) async fn breathe() {
    spawn_blocking(|| std::thread::sleep(POLL_INTERVAL)).await.expect("sleeping does not panic");
}
