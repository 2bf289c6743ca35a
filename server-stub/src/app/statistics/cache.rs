//! Caches statistics in memory, so that an account is counted at most once a minute.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::daily_counts::DailyStatistics;
use crate::domain::clock::Timestamp;
use crate::domain::store::Result;

/// Time for which a count is cached.
const KEPT_FOR: Duration = Duration::from_mins(1);
/// Maximum number of accounts in the cache, some KiB each.
const MAX_ACCOUNTS: usize = 1000;

/// Last counted statistics of each account.
#[derive(Debug, Default)]
pub(in crate::app) struct StatisticsCache {
    accounts: Mutex<HashMap<String, Arc<Entry>>>,
}

/// The request that counts holds the lock. Other requests wait for the result.
type Entry = tokio::sync::Mutex<Option<(Timestamp, Arc<DailyStatistics>)>>;

impl StatisticsCache {
    /// Returns the statistics of an account. Counts them if the cached count is older than a minute; only one request counts an
    /// account at a time. `now` is the steady time.
    pub(super) async fn get_or_count(
        &self,
        account_id: &str,
        now: Timestamp,
        count: impl AsyncFnOnce() -> Result<DailyStatistics>,
    ) -> Result<Arc<DailyStatistics>> {
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

    #[tokio::test]
    async fn concurrent_readers_share_one_count_a_minute() {
        let (cache, counts) = (StatisticsCache::default(), AtomicI64::new(0));
        let look = async |account: &str, seconds: i64| {
            let now = Timestamp::from_millis(seconds * 1000);
            let count = async || {
                tokio::task::yield_now().await;
                counts.fetch_add(1, Ordering::SeqCst);
                Ok(DailyStatistics { as_of: now, days: Vec::new() })
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
