//! The schema of PostgreSQL changes while an older process is in the middle of a transaction.

use contentgen_server_stub::storage;
use tokio::task::JoinSet;

use super::beside::OlderProcess;
use super::postgres::{Older, completion, lock_leased};
use crate::postgres::{OwnDatabase, Schema};
use crate::store::postgres::options;
use crate::waiting::{ended, until};

const NEWEST: u32 = 14;

/// An older process that has just locked a job which it completes, and a change of the schema that runs meanwhile.
struct Upgrade {
    older: Older,
    changing: JoinSet<Result<u32, String>>,
}

impl Upgrade {
    async fn begin(address: &str, version: usize) -> Self {
        let mut older = Older::new(address, version).await;
        older.register().await;
        older.queue("job_1").await;
        assert_eq!(older.claim().await, ["job_1"]);
        assert_eq!(older.go_on(&format!("BEGIN; {}", lock_leased("job_1"))).await, ["1"]);
        let address = address.to_owned();
        let mut changing = JoinSet::new();
        changing.spawn_blocking(move || storage::migrate(&address, &options()).map_err(|error| error.to_string()));
        Self { older, changing }
    }

    /// Waits until the change waits for a table, or no longer does.
    async fn until_it_waits(&self, does_wait: bool) {
        let waits = "SELECT count(*) > 0 FROM pg_locks JOIN pg_class ON pg_class.oid = relation
            WHERE NOT granted AND relnamespace = current_schema()::regnamespace";
        let expected = [if does_wait { "t" } else { "f" }];
        until("the change waits for a table, or no longer does", async || self.older.go_on(waits).await == expected)
            .await;
    }

    /// Completes the job, and then the schema is as it should be.
    async fn end(mut self) {
        let completion = format!("{}; COMMIT", completion("job_1", "art_job_1"));
        ended("the older process has completed its job", self.older.go_on(&completion)).await;
        let changed = ended("the schema is changed", self.changing.join_next()).await.unwrap();
        assert_eq!(changed.unwrap(), Ok(NEWEST));
        assert_eq!(self.older.go_on("SELECT version FROM contentgen_schema").await, [NEWEST.to_string()]);
        assert_eq!(self.older.go_on("SELECT status FROM jobs").await, ["completed"]);
    }
}

/// PostgreSQL counts deadlocks by the database, so this has one to itself: a change that gives way is tried again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_schema_changes_after_the_transaction_of_an_older_process() {
    for version in [1, 2] {
        let Some(database) = OwnDatabase::new() else { return };
        let upgrade = Upgrade::begin(database.address(), version).await;
        upgrade.until_it_waits(true).await;
        upgrade.end().await;
        assert_eq!(database.deadlocks().await, 0, "version {version}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_the_schema_that_gave_way_to_a_long_transaction_is_made_afterwards() {
    let Some(schema) = Schema::new() else { return };
    let upgrade = Upgrade::begin(schema.address(), 2).await;
    upgrade.until_it_waits(true).await;
    upgrade.until_it_waits(false).await;
    upgrade.end().await;
}
