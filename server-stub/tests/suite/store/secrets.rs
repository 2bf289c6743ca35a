//! Secrets of endpoints are sealed in a database, and erased data leaves no trace.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::HookSecret;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options, SecretKey, SecretKeySource, Store};
use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use super::world::{LEASE, World, both, capacity};
use crate::postgres::Schema;

fn open(address: &str) -> Store {
    let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    storage::open(
        address,
        &Options { secret_key: Some(SecretKeySource::Given(key)), ..Options::new(Arc::new(SystemRandomness)) },
    )
    .unwrap()
}

fn address(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// Registers an endpoint and rotates its secret. Returns all its secrets.
async fn register_and_rotate(world: &World) -> Vec<HookSecret> {
    let endpoint = world.endpoint(&EventType::DEFAULT);
    let mut secrets = vec![endpoint.secret.clone()];
    let id = world.hook(endpoint).await;
    for _ in 0..2 {
        let (secret, now) = (HookSecret::generate(&SystemRandomness), world.now());
        world.store.rotate_hook_secret(&id, &secret, (now, now.plus(Duration::from_hours(1))), None).await.unwrap();
        secrets.insert(0, secret);
    }
    assert_eq!(signing(world).await, secrets);
    secrets
}

/// Returns the secrets that sign the next delivery.
async fn signing(world: &World) -> Vec<HookSecret> {
    let (lead, event) = world.lead(None);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let now = world.now();
    world
        .store
        .claim_deliveries(1, &capacity(100), both(now), now.plus(LEASE))
        .await
        .unwrap()
        .remove(0)
        .secrets
        .unwrap()
}

/// Returns texts that must not be found: each secret without its prefix, and the prefix itself.
fn traces(secrets: &[HookSecret]) -> Vec<String> {
    let mut traces: Vec<_> =
        secrets.iter().map(|secret| secret.reveal().strip_prefix("whsec_").unwrap().to_owned()).collect();
    traces.push("whsec_".to_owned());
    traces
}

/// Searches all bytes of a database file and its write-ahead log.
fn assert_no_trace(path: &Path, secrets: &[HookSecret]) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    let is_busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
    assert_eq!(is_busy, 0);
    let mut wal = path.as_os_str().to_owned();
    wal.push("-wal");
    let bytes = [std::fs::read(path).unwrap(), std::fs::read(&wal).unwrap_or_default()].concat();
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("hook_endpoints"), "the bytes that were read are those of the database");
    for trace in traces(secrets) {
        assert!(!has(&trace), "{trace} lies in {}", path.display());
    }
}

#[tokio::test]
async fn no_secret_lies_open_in_an_sqlite_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let world = World::new(open(&address(&path))).await;
    let secrets = register_and_rotate(&world).await;
    assert_no_trace(&path, &secrets);
}

#[tokio::test]
async fn no_secret_lies_open_in_postgresql() {
    let Some(schema) = Schema::new() else { return };
    let world = World::new(open(schema.address())).await;
    let secrets = register_and_rotate(&world).await;
    let (client, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    let mut connections = JoinSet::new();
    connections.spawn(connection);
    let tables = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()";
    let tables: Vec<String> =
        client.query(tables, &[]).await.unwrap().into_iter().map(|row| row.get::<_, String>(0)).collect();
    assert!(tables.contains(&"hook_endpoints".to_owned()), "{tables:?}");
    for table in tables {
        for trace in traces(&secrets) {
            // A row as text contains all its columns. Bytes are in hexadecimal digits.
            let hexadecimal = trace.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
            let query = format!(
                "SELECT count(*) FROM {table} AS one
                 WHERE position($1 IN one::text) > 0 OR position($2 IN one::text) > 0"
            );
            let found: i64 = client.query_one(&query, &[&trace, &hexadecimal]).await.unwrap().get(0);
            assert_eq!(found, 0, "{trace} lies in {table}");
        }
    }
}

#[tokio::test]
async fn an_erased_lead_leaves_no_trace_in_an_sqlite_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let world = World::new(open(&address(&path))).await;
    world.hook(world.endpoint(&EventType::DEFAULT)).await;
    let (mut lead, _) = world.lead(Some("planted.person@example.org"));
    lead.message = Some("planted words ".repeat(300).into());
    let event = contentgen_server_stub::domain::event::Event::lead_captured("evt_1".to_owned(), &lead, None);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    assert!(world.store.erase_lead(&lead.id).await.unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for trace in ["planted.person", "planted words", &lead.id] {
        assert!(!bytes.windows(trace.len()).any(|window| window == trace.as_bytes()), "{trace} is still there");
    }
}
