//! Waits for conditions. No other file of these tests sleeps.

use std::time::Duration;

use tokio::time::{sleep, timeout};

/// Time limit that turns a hang into a failure. No result depends on it.
pub(crate) const GIVE_UP_AFTER: Duration = Duration::from_mins(5);
/// Pause between two checks of a condition.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until `condition` holds.
pub(crate) async fn until(what: &str, condition: impl AsyncFnMut() -> bool) {
    assert!(holds_in_time(condition).await, "gave up waiting until {what}");
}

/// Waits until `find` returns a value, and returns that value.
pub(crate) async fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let mut found = None;
    until(what, async || {
        found = find().await;
        found.is_some()
    })
    .await;
    found.expect("the condition was that it is found")
}

/// Waits until `condition` holds; returns false if it never does.
pub(crate) async fn holds_in_time(mut condition: impl AsyncFnMut() -> bool) -> bool {
    let holds = async {
        while !condition().await {
            sleep(POLL_INTERVAL).await;
        }
    };
    timeout(GIVE_UP_AFTER, holds).await.is_ok()
}
