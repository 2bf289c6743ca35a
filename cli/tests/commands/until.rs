//! Waits for conditions. No other file of these tests sleeps.

use std::time::Duration;

use tokio::time::sleep;

/// Turns a hang into a failure. No test is judged by it.
pub(crate) const GIVE_UP_AFTER: Duration = Duration::from_secs(5 * 60);
/// Pause between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until `condition` holds.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let checks = GIVE_UP_AFTER.as_millis() / POLL_INTERVAL.as_millis();
    for _ in 0..checks {
        if condition().await {
            return;
        }
        sleep(POLL_INTERVAL).await;
    }
    panic!("gave up waiting until {what}");
}
