//! Counts the articles, leads and deliveries of each of the last days.

use std::sync::Arc;
use std::time::Duration;

use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::day::Day;
use crate::domain::store::{CountedDays, DayCounts, Result};

/// Number of days that are shown, today included.
pub const STATISTICS_DAYS: i64 = 30;
/// Number of seconds in a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// The counts of the last days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyStatistics {
    /// Time of the count.
    pub as_of: Timestamp,
    /// Days, oldest first; today is last.
    pub days: Vec<DayCounts>,
}

impl App {
    /// Returns the counts of the last [`STATISTICS_DAYS`] days in UTC. They may be a minute old.
    pub async fn daily_statistics(&self, account: &Account) -> Result<Arc<DailyStatistics>> {
        let now = self.clock.moment();
        self.statistics
            .get_or_count(&account.id, now.steady, async || {
                let days = self.store.daily_counts(&account.id, counted_days(now, self.hook_retries)).await?;
                Ok(DailyStatistics { as_of: now.wall, days })
            })
            .await
    }
}

/// Returns the number of days after which the counts of a day no longer change: its last delivery has had its last attempt. Adds a
/// quarter for jitter and for receivers that ask for longer pauses. Later attempts, such as redeliveries or deliveries to a paused
/// endpoint, are not counted for a closed day.
fn open_days(hook_retries: Duration) -> i64 {
    let days = hook_retries.saturating_mul(5) / 4;
    i64::try_from(days.as_secs() / DAY_SECONDS).unwrap_or(i64::MAX).saturating_add(1)
}

fn counted_days(now: Moment, hook_retries: Duration) -> CountedDays {
    let today = Day::of(now.wall);
    // A wall clock that was set ahead must not close days that are not over.
    let surely_today = Day::of(now.wall.min(now.steady));
    CountedDays {
        first: today.plus(1 - STATISTICS_DAYS),
        last: today,
        open_from: surely_today.plus(-open_days(hook_retries)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::retry_schedule::RetrySchedule;

    #[test]
    fn a_day_is_over_when_its_deliveries_have_been_tried_for_the_last_time() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let now = at("2026-11-23T00:00:00Z");
        let retries = RetrySchedule::default().total();
        let days = counted_days(Moment { wall: now, steady: now }, retries);
        let shown = [days.first, days.last, days.open_from].map(|day| day.to_string());
        assert_eq!(shown, ["2026-10-25", "2026-11-23", "2026-11-19"]);
        let ahead = counted_days(Moment { wall: at("2027-11-23T00:00:00Z"), steady: now }, retries);
        assert_eq!(ahead.open_from, days.open_from, "the wall clock alone closes no day");
        // The last delivery of a day begins at its end.
        for hours in [0, 1, 23, 24, 76, 24 * 25] {
            let retries = Duration::from_hours(hours);
            let open = Duration::from_hours(24) * u32::try_from(open_days(retries)).unwrap();
            assert!(open > retries + retries / 5, "{hours} hours");
        }
    }
}
