//! How many articles, leads and deliveries each of the last days had.

use std::sync::Arc;

use super::super::service::App;
use crate::domain::account::Account;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::day::Day;
use crate::domain::store::{CountedDays, DayCounts, Result};

/// The days that are shown, today included.
pub const STATISTICS_DAYS: i64 = 30;
/// A delivery is tried for less than three days, and pauses that receivers ask for make it a little longer: the counts of a day can
/// change for so many days after it.
const OPEN_DAYS: i64 = 4;

/// The counts of the last days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyStatistics {
    /// When they were counted.
    pub as_of: Timestamp,
    /// Today comes last.
    pub days: Vec<DayCounts>,
}

impl App {
    /// The counts of the last [`STATISTICS_DAYS`] days in UTC. They may be a minute old.
    pub async fn daily_statistics(&self, account: &Account) -> Result<Arc<DailyStatistics>> {
        let now = self.clock.moment();
        self.statistics
            .get_or_count(&account.id, now.steady, async || {
                let days = self.store.daily_counts(&account.id, counted_days(now)).await?;
                Ok(DailyStatistics { as_of: now.wall, days })
            })
            .await
    }
}

fn counted_days(now: Moment) -> CountedDays {
    let today = Day::of(now.wall);
    // A wall clock that was set ahead must not close days that are not over.
    let surely_today = Day::of(now.wall.min(now.steady));
    CountedDays { first: today.plus(1 - STATISTICS_DAYS), last: today, open_from: surely_today.plus(-OPEN_DAYS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_over_four_days_after_its_end() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let now = at("2026-11-23T00:00:00Z");
        let days = counted_days(Moment { wall: now, steady: now });
        let shown = [days.first, days.last, days.open_from].map(|day| day.to_string());
        assert_eq!(shown, ["2026-10-25", "2026-11-23", "2026-11-19"]);
        let ahead = counted_days(Moment { wall: at("2027-11-23T00:00:00Z"), steady: now });
        assert_eq!(ahead.open_from, days.open_from, "the wall clock alone closes no day");
    }
}
