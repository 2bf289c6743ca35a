//! Keys revoked by another process while the server runs.

use serde_json::Value;
use tempfile::TempDir;

use super::program::Server;

/// This test and the server are two processes with one database file.
#[test]
fn a_key_revoked_by_another_process_is_refused_by_the_next_request() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &["--demo", "--roles", "api", "--database", "sqlite:own.db"]);
    let key = server.ready["accounts"][0]["api_key"].as_str().unwrap().to_owned();
    let websites = || server.http("GET", "/api/v1/websites", &key, "");
    let database = rusqlite::Connection::open(folder.path().join("own.db")).unwrap();
    for round in 0..20 {
        // Send two requests, because the second may use a cached key.
        for _ in 0..2 {
            assert_eq!(websites()["status"], Value::Null, "round {round}");
        }
        database.execute("UPDATE api_keys SET revoked_at = 1", []).unwrap();
        assert_eq!(websites()["status"], 401, "round {round}");
        database.execute("UPDATE api_keys SET revoked_at = NULL", []).unwrap();
    }
}
