//! Quotas that two servers share in one PostgreSQL. `quotas` tests a single server.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::server::{Database, Running, Server, Settings};
use contentgen_server_stub::storage::{SecretKey, SecretKeySource};
use futures::future::join_all;
use tokio_postgres::NoTls;

use super::client::{ApiResponse, Caller};
use super::quotas::number;
use super::world::World;
use crate::frozen_time::FrozenTime;
use crate::moved_clock::MovedClock;
use crate::postgres::Schema;

const PATH: &str = "/api/v1/websites";
/// A window that is longer than any test.
const LONG: u32 = 3600;

/// Two servers on one database with frozen time, so that a busy machine does not look like a database that is down.
struct Servers {
    running: [Running; 2],
    worlds: [World; 2],
    schema: Schema,
    clock: Arc<MovedClock>,
    time: FrozenTime,
}

impl Servers {
    /// Starts servers whose keys have this quota. Returns `None` if the environment names no PostgreSQL.
    async fn start(api: Quota) -> Option<Self> {
        let schema = Schema::new()?;
        let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
        let settings = Settings {
            database: Database::At(schema.address().to_owned()),
            secret_key: Some(SecretKeySource::Given(key)),
            is_worker: false,
            api_quota: api,
            capture_quota: Quota { requests: 4, window_seconds: LONG },
            ..Settings::demo()
        };
        let clock = Arc::new(MovedClock::stopped());
        let start = async || {
            let server = Server::builder().settings(settings.clone()).clock(clock.clone() as Arc<dyn Clock>);
            server.start().await.unwrap()
        };
        let running = [start().await, start().await];
        let worlds = [World::of(&running[0]), World::of(&running[1])];
        Some(Self { running, worlds, schema, clock, time: FrozenTime::begin() })
    }

    /// Returns a caller of the first account at each server.
    fn callers(&self) -> [Caller; 2] {
        [self.worlds[0].first(), self.worlds[1].first()]
    }

    /// Lets time pass until `requests` have their responses. These may wait for the database up to the server's time limit.
    async fn responses<F: Future>(&self, requests: F) -> F::Output {
        let step = Duration::from_millis(20);
        self.time.pass_until_end(step, "the requests are answered without the database", requests).await.0
    }

    async fn stop(self) {
        drop(self.time);
        for running in self.running {
            assert!(running.stop().await);
        }
    }
}

fn left(answer: &ApiResponse) -> u64 {
    number(answer.header("ratelimit"), "r")
}

#[tokio::test]
async fn two_servers_admit_a_small_quota_once_and_both_tell_what_is_left() {
    let Some(servers) = Servers::start(Quota { requests: 7, window_seconds: LONG }).await else { return };
    let callers = servers.callers();
    let mut seen = Vec::new();
    for number in [0, 1, 1, 0, 0, 1, 1, 0, 1] {
        let answer = callers[number].get(PATH).await;
        seen.push((answer.status, left(&answer)));
    }
    assert_eq!(seen, [(200, 6), (200, 5), (200, 4), (200, 3), (200, 2), (200, 1), (200, 0), (429, 0), (429, 0)]);
    // Another key has a separate quota.
    assert_eq!(left(&servers.worlds[1].second().get(PATH).await), 6);
    servers.stop().await;
}

#[tokio::test]
async fn requests_that_come_at_once_to_two_servers_spend_the_quota_exactly() {
    let Some(servers) = Servers::start(Quota { requests: 30, window_seconds: LONG }).await else { return };
    let callers = servers.callers();
    let answers = join_all((0..50).map(|number| callers[number % 2].get(PATH))).await;
    let mut admitted: Vec<_> = answers.iter().filter(|answer| answer.status == 200).map(left).collect();
    admitted.sort_unstable();
    assert_eq!(admitted, (0..30).collect::<Vec<_>>());
    assert_eq!(answers.iter().filter(|answer| answer.status == 429).count(), 20);
    servers.stop().await;
}

/// Spends a quota at the first server. After the announced time has passed for the servers and the database, both accept requests again.
#[tokio::test]
async fn the_windows_end_lets_in_again_at_each_server() {
    let Some(servers) = Servers::start(Quota { requests: 5, window_seconds: LONG }).await else { return };
    let callers = servers.callers();
    let mut answers = Vec::new();
    for _ in 0..6 {
        answers.push(callers[0].get(PATH).await);
    }
    assert_eq!(answers.iter().map(left).collect::<Vec<_>>(), [4, 3, 2, 1, 0, 0]);
    let pause: u64 = answers[5].header("retry-after").parse().unwrap();
    servers.clock.advance(Duration::from_secs(pause));
    servers.schema.execute(&format!("UPDATE quota_windows SET ends_at = ends_at - {}", pause * 1000));
    for caller in &callers {
        assert_eq!(caller.get(PATH).await.status, 200);
    }
    servers.stop().await;
}

#[tokio::test]
async fn an_address_sends_its_forms_to_all_servers_together_and_is_not_stored() {
    let Some(servers) = Servers::start(Quota { requests: 7, window_seconds: LONG }).await else { return };
    let send = async |caller: &Caller, number: usize| {
        let path = format!("/capture/{}", servers.worlds[0].website_id());
        caller.with_key(None).post_text(&path, &format!(r#"{{"email":"a{number}@example.com"}}"#)).await.status
    };
    let callers = servers.callers();
    let mut seen = Vec::new();
    for number in 0..6 {
        seen.push(send(&callers[number % 2], number).await);
    }
    assert_eq!(seen, [202, 202, 202, 202, 429, 429]);
    let rows = servers.schema.query_number("SELECT count(*) FROM quota_windows WHERE policy = 'capture'");
    let with_address = servers.schema.query_number(
        "SELECT count(*) FROM quota_windows WHERE subject LIKE '%127%0%1%' OR subject LIKE '%::1%'
         OR subject IN (encode(sha256('127.0.0.1'), 'base64'), encode(sha256('127.0.0.1'), 'hex'))",
    );
    assert_eq!((rows, with_address), (1, 0));
    servers.stop().await;
}

/// A transaction locks the table, and the rest of the database works. The first request waits for the lock, the others do not.
#[tokio::test]
async fn requests_go_on_while_the_database_leases_nothing() {
    let Some(servers) = Servers::start(Quota { requests: 5, window_seconds: LONG }).await else { return };
    let caller = servers.worlds[0].first();
    assert_eq!(left(&caller.get(PATH).await), 4);
    let (client, connection) = tokio_postgres::connect(servers.schema.address(), NoTls).await.unwrap();
    let driving = tokio::task::JoinSet::from_iter([async move { drop(connection.await) }]);
    client.batch_execute("BEGIN; LOCK TABLE quota_windows IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // Exactly the remaining known quota is admitted.
    let answers = servers.responses(join_all((0..6).map(|_| caller.get(PATH)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 4);
    client.batch_execute("COMMIT").await.unwrap();
    drop(driving);
    servers.stop().await;
}

/// A transaction locks the row of the address that sends forms. The server counts forms locally, and keys together with the other server.
#[tokio::test]
async fn keys_are_counted_together_while_the_database_leases_no_forms() {
    let Some(servers) = Servers::start(Quota { requests: 7, window_seconds: LONG }).await else { return };
    let callers = servers.callers();
    let path = format!("/capture/{}", servers.worlds[0].website_id());
    let visitor = callers[0].with_key(None);
    let send = || visitor.post_text(&path, r#"{"email":"a@example.com"}"#);
    assert_eq!(send().await.status, 202);
    let (client, connection) = tokio_postgres::connect(servers.schema.address(), NoTls).await.unwrap();
    let driving = tokio::task::JoinSet::from_iter([async move { drop(connection.await) }]);
    client.batch_execute("BEGIN; SELECT 1 FROM quota_windows WHERE policy = 'capture' FOR UPDATE").await.unwrap();
    assert_eq!(servers.responses(send()).await.status, 202, "the known rest of the quota is admitted");
    let mut seen = Vec::new();
    for number in [0, 1, 0, 1] {
        seen.push(left(&callers[number].get(PATH).await));
    }
    assert_eq!(seen, [6, 5, 4, 3]);
    client.batch_execute("COMMIT").await.unwrap();
    drop(driving);
    servers.stop().await;
}
