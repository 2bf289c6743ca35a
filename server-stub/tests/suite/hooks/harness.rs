//! A fresh store with a running dispatcher, at a time that the test controls.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::{Clock, Timestamp};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::HookEndpoint;
use contentgen_server_stub::domain::retry_schedule::RetrySchedule;
use contentgen_server_stub::hooks::{AddressPolicy, DestinationChecker, Dispatcher, Sender, Tuning};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use futures::future::join_all;
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::store::world::World;
use crate::waiting::until;

#[derive(Debug)]
pub(crate) struct WorldClock(pub(crate) Arc<World>);

impl Clock for WorldClock {
    fn wall(&self) -> Timestamp {
        self.0.moment().wall
    }

    fn steady(&self) -> Timestamp {
        self.0.now()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("World")
    }
}

pub(crate) struct DispatcherHarness {
    pub(crate) world: Arc<World>,
    stop: CancellationToken,
    dispatchers: JoinSet<()>,
    folder: TempDir,
}

impl DispatcherHarness {
    pub(crate) async fn start(policy: AddressPolicy) -> Self {
        Self::with_tuning(policy, Tuning::default()).await
    }

    pub(crate) async fn with_tuning(policy: AddressPolicy, tuning: Tuning) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}", folder.path().join("test.db").display());
        let store = storage::open(&address, &storage::Options::new(Arc::new(SystemRandomness))).unwrap();
        let world = Arc::new(World::new(store).await);
        let clock = Arc::new(WorldClock(Arc::clone(&world)));
        let sender = Sender::with_tuning(DestinationChecker::new(policy), tuning);
        let schedule = RetrySchedule::default();
        let dispatcher = Dispatcher::new(world.store.clone(), clock, sender, schedule).with_tuning(tuning);
        let stop = CancellationToken::new();
        let mut dispatchers = JoinSet::new();
        dispatchers.spawn(dispatcher.run(stop.clone()));
        Self { world, stop, dispatchers, folder }
    }

    /// Registers an endpoint for leads.
    pub(crate) async fn register(&self, url: String) -> HookEndpoint {
        let mut endpoint = self.world.endpoint(&[EventType::LeadCaptured]);
        endpoint.url = url;
        self.world.store.create_hook_endpoint(&endpoint).await.unwrap();
        endpoint
    }

    /// Captures leads, each with an event. They run concurrently and share commits, which are slow on a slow disk.
    pub(crate) async fn capture(&self, count: usize) {
        let captures = (0..count).map(async |_| {
            let (lead, event) = self.world.lead(None);
            self.world.store.capture_lead(&lead, &event, self.world.now(), self.world.now()).await.unwrap();
        });
        join_all(captures).await;
    }

    /// Moves the time and wakes the dispatcher.
    pub(crate) fn advance(&self, duration: Duration) {
        self.world.advance(duration);
        self.world.store.wakeups().deliveries.notify_one();
    }

    /// Returns the number of deliveries.
    pub(crate) fn deliveries(&self) -> usize {
        self.count("SELECT count(*) FROM deliveries")
    }

    /// Returns the number of recorded attempts.
    pub(crate) fn attempts(&self) -> usize {
        self.count("SELECT count(*) FROM attempts")
    }

    /// Returns the number of claimed deliveries.
    pub(crate) fn claimed(&self) -> usize {
        self.count("SELECT count(*) FROM delivery_queue WHERE lease_token IS NOT NULL")
    }

    /// Waits until `count` attempts are recorded.
    pub(crate) async fn wait_for_attempts(&self, count: usize) {
        until(&format!("{count} attempts are recorded"), async || self.attempts() >= count).await;
    }

    /// Runs a statement directly in the database.
    pub(crate) fn execute(&self, sql: &str) {
        self.database().execute_batch(sql).unwrap();
    }

    fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.folder.path().join("test.db")).unwrap()
    }

    fn count(&self, query: &str) -> usize {
        let rows: u32 = self.database().query_row(query, [], |row| row.get(0)).unwrap();
        rows as usize
    }

    /// Asks the dispatcher to stop, without waiting.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Stops the dispatcher, so that all attempts are recorded. Returns the state of each delivery and the note on its last attempt.
    pub(crate) async fn finish(mut self) -> Vec<(String, String)> {
        self.stop.cancel();
        while let Some(ended) = self.dispatchers.join_next().await {
            ended.unwrap();
        }
        let connection = self.database();
        let mut statement = connection
            .prepare(
                "SELECT deliveries.status, coalesce(error, response_status) FROM delivery_states AS deliveries
                 JOIN attempts ON delivery_id = deliveries.id
                 WHERE attempts.number = deliveries.attempts ORDER BY attempts.id",
            )
            .unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, rusqlite::types::Value>(1)?))).unwrap();
        rows.map(Result::unwrap)
            .map(|(status, note)| match note {
                rusqlite::types::Value::Text(text) => (status, text),
                rusqlite::types::Value::Integer(number) => (status, number.to_string()),
                other => panic!("{other:?}"),
            })
            .collect()
    }
}
