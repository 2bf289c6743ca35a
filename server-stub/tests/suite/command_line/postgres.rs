//! PostgreSQL for an operator: an unreachable server, a foreign database. Tests that need a server use the one at
//! `CONTENTGEN_TEST_POSTGRES_URL`. Without it they are skipped with a message.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

use super::program::{Server, assert_fails, run, text, value};
use crate::plain_http;
use crate::postgres::Schema;
use crate::unused_address::UnusedAddress;

/// Password in each address. No message may contain it.
const PASSWORD: &str = "planted-password";

fn migrate(folder: &Path, address: &str) -> Output {
    run(folder, &["migrate", "--database", address])
}

/// Returns the address with the password.
fn with_password(address: &str) -> String {
    let (user, place) = address.strip_prefix("postgres://").unwrap().split_once('@').unwrap();
    let user = user.split(':').next().unwrap();
    format!("postgres://{user}:{PASSWORD}@{place}")
}

/// Checks that the program exits with 3 and these words. It must not print the password or leave a key that a later start might use for
/// another database.
fn assert_refused(folder: &Path, address: &str, words: &str) {
    let output = migrate(folder, address);
    assert_fails(&output, 3, words);
    assert!(!text(&output.stderr).contains(PASSWORD), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

/// Starts a server that asks for a password and rejects it.
fn refusing_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut buffer = [0; 1024];
            let _ = stream.read(&mut buffer);
            // AuthenticationCleartextPassword, then an error as PostgreSQL formats it.
            let _ = stream.write_all(b"R\0\0\0\x08\0\0\0\x03");
            let _ = stream.read(&mut buffer);
            let fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user \"someone\"\0\0";
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            let _ = stream.write_all(&[b"E", &length[..], fields].concat());
        }
    });
    format!("postgres://someone:{PASSWORD}@{address}/contentgen")
}

/// Starts a server that seems to run every query in one process, like a transaction pooler.
fn pooler() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut buffer = [0; 1024];
                // AuthenticationOk, ReadyForQuery.
                let mut response = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I".to_vec();
                while stream.read(&mut buffer).is_ok_and(|count| count > 0) && stream.write_all(&response).is_ok() {
                    // RowDescription of one text column, DataRow, CommandComplete, ReadyForQuery.
                    response = b"T\0\0\0\x1a\0\x01a\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\0\0\0\0\0\0".to_vec();
                    response.extend(b"D\0\0\0\x0c\0\x01\0\0\0\x0277C\0\0\0\x07ab\0Z\0\0\0\x05I");
                }
            });
        }
    });
    format!("postgres://someone:{PASSWORD}@{address}/contentgen")
}

#[test]
fn a_pooler_that_shares_processes_between_transactions_is_refused() {
    let folder = tempfile::TempDir::new().unwrap();
    assert_refused(folder.path(), &pooler(), "connect to PostgreSQL directly, or set pool_mode = session");
}

#[test]
fn an_address_that_is_not_understood_ends_with_2() {
    let folder = tempfile::TempDir::new().unwrap();
    for address in [
        format!("postgres://someone:{PASSWORD}@localhost:port/x"),
        format!("postgres://someone:{PASSWORD}@localhost/x?nonsense=1"),
        "postgres://".to_owned(),
        format!("postgresql:{PASSWORD}"),
    ] {
        let output = migrate(folder.path(), &address);
        assert_fails(&output, 2, "postgres://USER:PASSWORD@HOST:PORT/DATABASE");
        assert!(!text(&output.stderr).contains(PASSWORD), "{}", text(&output.stderr));
    }
}

#[test]
fn a_server_that_is_away_or_refuses_ends_with_3() {
    let folder = tempfile::TempDir::new().unwrap();
    assert_refused(folder.path(), &refusing_server(), "check user, password and database");
    let unused = UnusedAddress::reserve();
    let away = format!("postgres://someone:{PASSWORD}@{}/contentgen", unused.address);
    assert_refused(folder.path(), &away, "does not respond; check that it runs");
    let Some(schema) = Schema::new() else { return };
    let address = with_password(schema.address());
    let (server, options) = address.rsplit_once('/').unwrap();
    let unknown = format!("{server}/no_such_database?{}", options.split_once('?').unwrap().1);
    assert_refused(folder.path(), &unknown, "\"no_such_database\" does not exist");
    let stranger = address.replacen("postgres://", "postgres://nobody_of_this_name", 1);
    assert_refused(folder.path(), &stranger, "check user, password and database");
}

#[test]
fn a_database_that_is_not_ours_is_left_alone() {
    let folder = tempfile::TempDir::new().unwrap();
    let Some(foreign) = Schema::new() else { return };
    foreign.execute("CREATE TABLE notes (words TEXT); INSERT INTO notes VALUES ('kept')");
    assert_refused(folder.path(), &with_password(foreign.address()), "is a database of another program");
    // Each statement fails if anything has changed.
    foreign.execute(
        "DO $$ BEGIN
            ASSERT (SELECT words FROM notes) = 'kept';
            ASSERT (SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()) = 1;
         END $$",
    );

    let newer = Schema::new().unwrap();
    let elsewhere = tempfile::TempDir::new().unwrap();
    assert_eq!(migrate(elsewhere.path(), newer.address()).status.code(), Some(0));
    newer.execute("UPDATE contentgen_schema SET version = 99; ALTER TABLE accounts RENAME TO accounts_of_later");
    assert_refused(folder.path(), &with_password(newer.address()), "use a newer version");
    newer.execute(
        "DO $$ BEGIN
            ASSERT (SELECT version FROM contentgen_schema) = 99;
            ASSERT to_regclass('accounts') IS NULL;
         END $$",
    );
}

#[test]
fn a_database_that_cannot_hold_all_text_is_refused() {
    let Some(schema) = Schema::new() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let name = format!("contentgen_latin_{}", uuid::Uuid::new_v4().simple());
    let address = with_password(schema.address());
    let (server, _) = address.rsplit_once('/').unwrap();
    schema.execute(&format!("CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"));
    let output = migrate(folder.path(), &format!("{server}/{name}"));
    schema.execute(&format!("DROP DATABASE {name}"));
    assert_fails(&output, 3, "create it with ENCODING 'UTF8'");
    assert!(!text(&output.stderr).contains(PASSWORD), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn hooks_are_looked_after_on_postgresql_too() {
    let Some(schema) = Schema::new() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let done = |arguments: &[&str]| {
        let output = run(folder.path(), &[arguments, &["--database", schema.address()]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        output
    };
    done(&["account", "create", "--name", "own"]);
    let made = done(&["hook", "create", "--account", "own", "--url", "https://example.com/hooks"]);
    let (id, secret) = (value(&made, "hook"), value(&made, "secret"));
    let of = |command: &str, more: &[&str]| done(&[&["hook", command, "--account", "own"], more].concat());
    assert_eq!(value(&of("reveal", &["--id", &id]), "secret"), secret);
    let delivery = value(&of("test", &["--id", &id]), "delivery");
    assert!(text(&of("deliveries", &["--id", &id]).stdout).contains(&delivery));
    of("rotate", &["--id", &id]);
    of("pause", &["--id", &id]);
    assert!(text(&of("list", &[]).stdout).contains("paused"));
    of("remove", &["--id", &id]);
    assert!(!text(&of("list", &[]).stdout).contains(&id));
}

/// Each reader has a separate connection. The server must open all of them again while no descriptor is free.
#[tokio::test]
async fn a_server_that_ran_out_of_descriptors_goes_on_when_there_are_some() {
    let Some(schema) = Schema::new() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::start(folder.path(), &["--demo", "--roles", "api", "--database", schema.address()]);
    let account = &server.ready["accounts"][0];
    let (base_url, key) = (server.ready["base_url"].as_str().unwrap(), account["api_key"].as_str().unwrap());
    // One connection for all requests, opened before the limit.
    let client = plain_http::following_client();
    let websites = async || {
        let response = client.get(format!("{base_url}/api/v1/websites")).bearer_auth(key).send().await.unwrap();
        let status = response.status().as_u16();
        response.bytes().await.unwrap();
        status
    };
    assert_eq!(websites().await, 200);
    server.limit_descriptors(3);
    let mut refused = 0;
    while refused < 20 {
        schema.cut_connections();
        refused += usize::from(websites().await >= 500);
    }
    server.limit_descriptors(1024);
    assert_eq!(websites().await, 200);
    let website_id = account["website_id"].as_str().unwrap();
    let body = format!("{{\"topic\":\"Rye\",\"website_id\":\"{website_id}\"}}");
    let queued = client.post(format!("{base_url}/api/v1/generate")).bearer_auth(key);
    let queued = queued.header("content-type", "application/json").body(body).send().await.unwrap();
    assert_eq!(queued.status().as_u16(), 202);
}
