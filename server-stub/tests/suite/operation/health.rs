//! Health of a server: it reports in time that it cannot work, it waits for others up to a limit, and it stops.

use std::time::Duration;

use contentgen_server_stub::app::Readiness;
use contentgen_server_stub::http::Deadlines;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{Database, Settings, start};
use contentgen_server_stub::storage::{SecretKey, SecretKeySource};
use tokio::net::TcpStream;

use super::raw_connection::{RawConnection, body, get, send, status};
use crate::api::contract;
use crate::frozen_time::FrozenTime;
use crate::postgres::Schema;
use crate::waiting::{until, until_ok};

/// Waits until the server is ready. This is immediate, except on a machine so busy that the database responds late.
async fn becomes_ready(base_url: &str) {
    until("the server is ready", async || body(&get(base_url, "/readyz").await) == "ready\n").await;
}

/// Starts a request whose body does not end.
async fn unfinished(base_url: &str, key: &str) -> RawConnection {
    let mut wire = RawConnection::open(base_url).await;
    wire.write(&format!(
        "POST /api/v1/generate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n"
    ))
    .await;
    // The server asks for the body when it starts to read it. The request is open from then on.
    let mut asked = [0; 25];
    tokio::io::AsyncReadExt::read_exact(&mut wire.0, &mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    wire.write("{\"topic\"").await;
    wire
}

#[tokio::test]
async fn a_database_that_is_away_makes_the_server_unready_within_seconds_and_not_dead() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.db");
    let database = Database::At(format!("sqlite:{}", path.display()));
    let running = start(Settings { database, is_worker: false, ..Settings::demo() }).await.unwrap();
    let base_url = running.base_url().unwrap();
    becomes_ready(base_url).await;
    let lock = rusqlite::Connection::open(&path).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let time = FrozenTime::begin();
    let readiness = time.ends_after(Duration::from_secs(2), running.app().readiness()).await;
    assert!(matches!(readiness, Readiness::DatabaseAway), "{readiness:?}");
    drop(time);
    assert_eq!(body(&get(base_url, "/healthz").await), "ok\n");
    lock.execute_batch("ROLLBACK").unwrap();
    becomes_ready(base_url).await;
    assert!(running.stop().await);
}

/// Writing still works, because an empty transaction needs no table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_be_read_makes_the_server_unready_until_it_can() {
    let readiness = async |address: &str, execute: &(dyn Fn(&str) + Sync)| {
        let database = Database::At(address.to_owned());
        // The key is not in a file, which would be in the tests' working directory.
        let secret_key = Some(SecretKeySource::Given(SecretKey::generate(&SystemRandomness)));
        let settings = Settings { database, secret_key, is_worker: false, ..Settings::demo() };
        let running = start(settings).await.unwrap();
        let base_url = running.base_url().unwrap();
        becomes_ready(base_url).await;
        execute("ALTER TABLE settings RENAME TO settings_elsewhere");
        let answer = get(base_url, "/readyz").await;
        assert_eq!((status(&answer), body(&answer)), (503, "database\n"), "{address}: {answer}");
        assert!(answer.contains("\r\nretry-after: 5\r\n"), "{answer}");
        execute("ALTER TABLE settings_elsewhere RENAME TO settings");
        becomes_ready(base_url).await;
        assert!(running.stop().await);
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.db");
    let execute = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    readiness(&format!("sqlite:{}", path.display()), &execute).await;
    let Some(schema) = Schema::new() else { return };
    readiness(schema.address(), &|sql| schema.execute(sql)).await;
}

#[tokio::test]
async fn a_server_that_drains_says_so_until_it_is_gone_and_waits_no_longer_than_it_may() {
    // Shorter than the server waits for a body.
    let drain = Duration::from_secs(10);
    let running = start(Settings { drain, is_worker: false, ..Settings::demo() }).await.unwrap();
    let base_url = running.base_url().unwrap().to_owned();
    let key = running.accounts()[0].api_key.clone();
    let open = unfinished(&base_url, &key).await;
    let time = FrozenTime::begin();
    let asking = async {
        let readiness = until_ok("the server says that it drains", async || {
            let answer = get(&base_url, "/readyz").await;
            if status(&answer) == 503 { Ok(answer) } else { Err(answer) }
        })
        .await;
        assert_eq!(body(&readiness), "draining\n");
        assert_eq!(status(&get(&base_url, "/healthz").await), 200);
        let headers = format!("authorization: Bearer {key}\r\n");
        let refused = send(&base_url, "GET", "/api/v1/websites", &headers, "").await;
        assert_eq!(status(&refused), 503);
        assert!(refused.contains("\"unavailable\"") && refused.contains("\r\nretry-after: 5\r\n"), "{refused}");
        contract::check_text(&serde_json::from_str(body(&refused)).unwrap());
        assert!(refused.contains("\r\nconnection: close\r\n"), "{refused}");
    };
    let stopping = running.stop();
    tokio::pin!(stopping);
    tokio::select! {
        has_drained = &mut stopping => panic!("it stopped while a request was open: {has_drained}"),
        () = asking => {}
    }
    let has_drained = time.ends_after(drain, stopping).await;
    assert!(!has_drained, "a request was open all the time");
    let address = base_url.strip_prefix("http://").unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "the server still listens");
    drop(open);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_request_is_answered_before_the_server_stops() {
    let running = start(Settings { is_worker: false, ..Settings::demo() }).await.unwrap();
    let base_url = running.base_url().unwrap().to_owned();
    let mut open = unfinished(&base_url, &running.accounts()[0].api_key).await;
    let website_id = running.accounts()[0].website_id.clone();
    let finishing = async {
        until("the server drains", async || status(&get(&base_url, "/readyz").await) == 503).await;
        let rest = format!(":\"Last\",\"website_id\":\"{website_id}\"");
        open.write(&format!("{rest}{}}}", " ".repeat(100 - 8 - rest.len() - 1))).await;
        open.read().await
    };
    let (has_drained, answer) = tokio::join!(running.stop(), finishing);
    assert!(has_drained);
    assert_eq!(status(&answer), 202, "{answer}");
}

#[tokio::test]
async fn a_body_that_is_late_is_408_and_headers_that_are_late_end_the_connection() {
    let (headers, body_time) = (Duration::from_millis(500), Duration::from_millis(300));
    let deadlines = Deadlines { headers, body: body_time, ..Deadlines::default() };
    let running = start(Settings { deadlines, is_worker: false, ..Settings::demo() }).await.unwrap();
    let base_url = running.base_url().unwrap();
    let time = FrozenTime::begin();
    let open = unfinished(base_url, &running.accounts()[0].api_key).await;
    time.ends_after(deadlines.body, open.0.peek(&mut [0])).await.unwrap();
    let step = Duration::from_millis(10);
    let (answer, _) = time.pass_until_end(step, "the late request is answered", open.read()).await;
    assert_eq!(status(&answer), 408, "{answer}");
    assert!(answer.contains("\"request_timeout\""), "{answer}");
    contract::check_text(&serde_json::from_str(body(&answer)).unwrap());
    let mut wire = RawConnection::open(base_url).await;
    wire.write("GET /healthz HTTP/1.1\r\nhos").await;
    let (answer, passed) = time.pass_until_end(step, "the connection is closed", wire.read()).await;
    assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
    assert!(passed >= deadlines.headers, "{passed:?}");
    drop(time);
    assert!(running.stop().await);
}
