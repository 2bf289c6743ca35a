//! [`Statistics`] on a database.

use crate::domain::clock::Timestamp;
use crate::domain::store::{CountedDays, DayCounts, ExpiringKey, FirstSteps, Result, StalledWebsite};
use crate::storage::statements::{daily_counts, overview};

use super::store::Store;

impl Store {
    /// The counts of each of these days. Those of days that are over are counted once and kept, whatever is erased later.
    pub async fn daily_counts(&self, account_id: &str, days: CountedDays) -> Result<Vec<DayCounts>> {
        let account = account_id.to_owned();
        // Counting takes long, so it is no part of the transaction that writes.
        let found = self.read_many(move |session| daily_counts::find(session, &account, days)).await?;
        if !found.to_keep.is_empty() {
            let account = account_id.to_owned();
            self.write_alone(move |session| daily_counts::keep(session, &account, &found.to_keep)).await?;
        }
        Ok(found.days)
    }

    /// Which of the first steps with the service were taken.
    pub async fn first_steps(&self, account_id: &str) -> Result<FirstSteps> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| overview::first_steps(session, &account_id)).await
    }

    /// The keys that are live at `now` and no longer at `until`, the next to expire first.
    pub async fn expiring_keys(&self, account_id: &str, now: Timestamp, until: Timestamp) -> Result<Vec<ExpiringKey>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| overview::expiring_keys(session, &account_id, now, until)).await
    }

    /// Websites that are paused while jobs wait for them.
    pub async fn stalled_websites(&self, account_id: &str) -> Result<Vec<StalledWebsite>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| overview::stalled_websites(session, &account_id)).await
    }
}
