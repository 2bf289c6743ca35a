//! Counts the articles, leads and deliveries of each of the last days. A cache in memory counts an account at most once a
//! minute.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{AdminError, App};
use crate::domain::account::Account;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::store::{CountedDays, DayCounts};
use crate::domain::time_zone::TimeZone;

/// Number of days that are shown, today included.
pub const STATISTICS_DAYS: i64 = 30;
/// Number of seconds in a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;
/// Time for which a count is cached.
const KEPT_FOR: Duration = Duration::from_mins(1);
/// Maximum number of accounts in the cache, some KiB each.
const MAX_ACCOUNTS: usize = 1000;

/// The counts of the last days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyStatistics {
    /// Time of the count.
    pub as_of: Timestamp,
    /// Time zone of the days.
    pub zone: TimeZone,
    /// Days, oldest first; today is last.
    pub days: Vec<DayCounts>,
}

impl App {
    /// Returns the counts of the last [`STATISTICS_DAYS`] days, in the time zone of the account's websites if they share one,
    /// otherwise in UTC. They may be a minute old.
    pub async fn daily_statistics(&self, account: &Account) -> Result<Arc<DailyStatistics>, AdminError> {
        let now = self.clock.moment();
        self.statistics
            .get_or_count(&account.id, now.steady, async || {
                let zone = TimeZone::of_list(&self.websites(account).await?, "");
                let days = self.store.daily_counts(&account.id, counted_days(zone, now, self.hook_retries)).await?;
                Ok(DailyStatistics { as_of: now.wall, zone, days })
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

fn counted_days(zone: TimeZone, now: Moment, hook_retries: Duration) -> CountedDays {
    let today = zone.day_of(now.wall);
    // A wall clock that was set ahead must not close days that are not over.
    let surely_today = zone.day_of(now.wall.min(now.steady));
    CountedDays {
        zone,
        first: today.plus(1 - STATISTICS_DAYS),
        last: today,
        open_from: surely_today.plus(-open_days(hook_retries)),
    }
}

/// Last counted statistics of each account.
#[derive(Debug, Default)]
pub(super) struct StatisticsCache {
    accounts: Mutex<HashMap<String, Arc<Entry>>>,
}

/// The request that counts holds the lock. Other requests wait for the result.
type Entry = tokio::sync::Mutex<Option<(Timestamp, Arc<DailyStatistics>)>>;

impl StatisticsCache {
    /// Returns the statistics of an account. Counts them if the cached count is older than a minute; only one request counts an
    /// account at a time. `now` is the steady time.
    async fn get_or_count(
        &self,
        account_id: &str,
        now: Timestamp,
        count: impl AsyncFnOnce() -> Result<DailyStatistics, AdminError>,
    ) -> Result<Arc<DailyStatistics>, AdminError> {
        let entry = self.entry(account_id);
        let mut kept = entry.lock().await;
        if let Some((_, statistics)) = kept.as_ref().filter(|(at, _)| now < at.plus(KEPT_FOR)) {
            return Ok(Arc::clone(statistics));
        }
        let statistics = Arc::new(count().await?);
        *kept = Some((now, Arc::clone(&statistics)));
        Ok(statistics)
    }

    fn entry(&self, account_id: &str) -> Arc<Entry> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if accounts.len() >= MAX_ACCOUNTS && !accounts.contains_key(account_id) {
            // Keep entries that a request is waiting for, so that no account is counted twice at a time.
            accounts.retain(|_, entry| Arc::strong_count(entry) > 1);
        }
        Arc::clone(accounts.entry(account_id.to_owned()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use futures::future::join_all;

    use super::*;
    use crate::domain::retry_schedule::RetrySchedule;

    #[test]
    fn a_day_is_over_when_its_deliveries_have_been_tried_for_the_last_time() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let now = at("2026-11-23T00:00:00Z");
        let (zone, retries) = (TimeZone::or_utc("UTC"), RetrySchedule::default().total());
        let days = counted_days(zone, Moment { wall: now, steady: now }, retries);
        let shown = [days.first, days.last, days.open_from].map(|day| day.to_string());
        assert_eq!(shown, ["2026-10-25", "2026-11-23", "2026-11-19"]);
        let ahead = counted_days(zone, Moment { wall: at("2027-11-23T00:00:00Z"), steady: now }, retries);
        assert_eq!(ahead.open_from, days.open_from, "the wall clock alone closes no day");
        let in_kiritimati =
            counted_days(TimeZone::parse("Pacific/Kiritimati").unwrap(), Moment { wall: now, steady: now }, retries);
        assert_eq!((in_kiritimati.last, in_kiritimati.open_from), (days.last, days.open_from));
        let earlier = now.plus_millis(-1);
        let in_kiritimati = counted_days(
            TimeZone::parse("Pacific/Kiritimati").unwrap(),
            Moment { wall: earlier, steady: earlier },
            retries,
        );
        assert_eq!(in_kiritimati.last, days.last, "there it is today already");
        // The last delivery of a day begins at its end.
        for hours in [0, 1, 23, 24, 76, 24 * 25] {
            let retries = Duration::from_hours(hours);
            let open = Duration::from_hours(24) * u32::try_from(open_days(retries)).unwrap();
            assert!(open > retries + retries / 5, "{hours} hours");
        }
    }

    #[tokio::test]
    async fn concurrent_readers_share_one_count_a_minute() {
        let (cache, counts) = (StatisticsCache::default(), AtomicI64::new(0));
        let look = async |account: &str, seconds: i64| {
            let now = Timestamp::from_millis(seconds * 1000);
            let count = async || {
                tokio::task::yield_now().await;
                counts.fetch_add(1, Ordering::SeqCst);
                Ok(DailyStatistics { as_of: now, zone: TimeZone::or_utc("UTC"), days: Vec::new() })
            };
            cache.get_or_count(account, now, count).await.unwrap().as_of.seconds()
        };
        assert_eq!(join_all((0..20).map(|_| look("acct_1", 5))).await, [5; 20]);
        assert_eq!(counts.load(Ordering::SeqCst), 1);
        assert_eq!((look("acct_1", 64).await, look("acct_2", 64).await, look("acct_1", 65).await), (5, 64, 65));
        for number in 0..MAX_ACCOUNTS * 2 {
            look(&format!("acct_{number}"), 70).await;
        }
        assert!(cache.accounts.lock().unwrap().len() <= MAX_ACCOUNTS);
    }
}
