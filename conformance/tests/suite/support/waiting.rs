//! Waits for other processes and threads.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Pause between two checks of a condition.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Time after which a wait counts as a hang. Working code never reaches it.
const GIVE_UP_AFTER: Duration = Duration::from_mins(5);

/// Waits until `look` finds something.
pub(crate) fn until<Found>(what: &str, mut look: impl FnMut() -> Option<Found>) -> Found {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < GIVE_UP_AFTER, "gave up waiting for {what}");
        sleep(LOOK_EVERY);
    }
}
