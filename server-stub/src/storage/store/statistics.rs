//! [`Statistics`] on a database.

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::store::{CountedDays, DayCounts, ExpiringKey, FirstSteps, Result, StalledWebsite, Statistics};
use crate::storage::backend::Backend;
use crate::storage::statements::{daily_counts, overview};

use super::SqlStore;

#[async_trait]
impl<B: Backend> Statistics for SqlStore<B> {
    async fn daily_counts(&self, account_id: &str, days: CountedDays) -> Result<Vec<DayCounts>> {
        let account = account_id.to_owned();
        // Counting takes long, so it is no part of the transaction that writes.
        let found = self.backend.read_many(move |session| daily_counts::find(session, &account, days)).await?;
        if !found.to_keep.is_empty() {
            let account = account_id.to_owned();
            self.backend.write_alone(move |session| daily_counts::keep(session, &account, &found.to_keep)).await?;
        }
        Ok(found.days)
    }

    async fn first_steps(&self, account_id: &str) -> Result<FirstSteps> {
        let account_id = account_id.to_owned();
        self.backend.read_few(move |session| overview::first_steps(session, &account_id)).await
    }

    async fn expiring_keys(&self, account_id: &str, now: Timestamp, until: Timestamp) -> Result<Vec<ExpiringKey>> {
        let account_id = account_id.to_owned();
        self.backend.read_few(move |session| overview::expiring_keys(session, &account_id, now, until)).await
    }

    async fn stalled_websites(&self, account_id: &str) -> Result<Vec<StalledWebsite>> {
        let account_id = account_id.to_owned();
        self.backend.read_few(move |session| overview::stalled_websites(session, &account_id)).await
    }
}
