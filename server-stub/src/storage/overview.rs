//! Queries of the overview, except the daily counts.

use crate::domain::clock::Timestamp;
use crate::domain::store::{ExpiringKey, FirstSteps, Result, StalledWebsite};

use super::sql::values;
use super::store::Store;

impl Store {
    /// Returns which first steps with the service were taken.
    pub async fn first_steps(&self, account_id: &str) -> Result<FirstSteps> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| {
            let mut has = |query: &'static str| session.exists(query, values![&account_id]);
            Ok(FirstSteps {
                has_website: has("SELECT 1 FROM websites WHERE account_id = $1 AND deleted_at IS NULL LIMIT 1")?,
                has_key: has("SELECT 1 FROM api_keys WHERE account_id = $1 LIMIT 1")?,
                has_article: has("SELECT 1 FROM articles WHERE account_id = $1 LIMIT 1")?,
                has_hook: has("SELECT 1 FROM hook_endpoints WHERE account_id = $1 LIMIT 1")?,
            })
        })
        .await
    }

    /// Returns the keys that are live at `now` but not at `until`, the next to expire first.
    pub async fn expiring_keys(&self, account_id: &str, now: Timestamp, until: Timestamp) -> Result<Vec<ExpiringKey>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| {
            session.rows(
                "SELECT id, name, created_at, expires_at FROM api_keys
                 WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND expires_at <= $3
                    ORDER BY expires_at, id",
                values![&account_id, now, until],
                |row| {
                    Ok(ExpiringKey {
                        id: row.text()?,
                        name: row.text()?,
                        created_at: row.time()?,
                        expires_at: row.time()?,
                    })
                },
            )
        })
        .await
    }

    /// Returns the paused websites that have waiting jobs.
    pub async fn stalled_websites(&self, account_id: &str) -> Result<Vec<StalledWebsite>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| {
            session.rows(
                "SELECT websites.id, name, updated_at, unfinished
                 FROM queue_depths JOIN websites ON websites.id = queue_depths.website_id
                 WHERE queue_depths.account_id = $1 AND unfinished > 0 AND status = 'paused'
                 ORDER BY updated_at DESC, websites.id LIMIT 100",
                values![&account_id],
                |row| {
                    Ok(StalledWebsite {
                        id: row.text()?,
                        name: row.text()?,
                        updated_at: row.time()?,
                        unfinished: row.number()?,
                    })
                },
            )
        })
        .await
    }
}
