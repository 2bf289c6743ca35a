//! `key list` and `key revoke`, and the time of a key's last use.

use serde_json::Value;
use tempfile::TempDir;

use super::program::{Server, assert_fails, run, text, value};

/// Returns the account's keys by name.
fn keys(folder: &TempDir, database: &str) -> Vec<Value> {
    let list = ["key", "list", "--database", database, "--account", "harbour-bakery", "--json"];
    let out = text(&run(folder.path(), &list).stdout);
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn keys_are_listed_without_their_secrets_and_revoked_while_the_server_runs() {
    let folder = TempDir::new().unwrap();
    let database = "sqlite:own.db";
    let server = Server::start(folder.path(), &["--demo", "--roles", "api", "--database", database]);
    let secret = server.ready["accounts"][0]["narrow_api_key"].as_str().unwrap().to_owned();
    let articles = || server.http("GET", "/api/v1/articles", &secret, "");
    assert_eq!(articles()["status"], Value::Null);

    let all = keys(&folder, database);
    let names: Vec<_> = all.iter().map(|key| key["name"].as_str().unwrap()).collect();
    // Keys created in the same millisecond have no defined order.
    let mut names = names;
    names.sort_unstable();
    assert_eq!(names, ["articles only", "everything", "expired", "revoked", "second site only", "small quota"]);
    let key = all.iter().find(|key| key["name"] == "articles only").unwrap();
    assert_eq!((&key["state"], &key["last4"]), (&"live".into(), &secret[secret.len() - 4..].into()));
    assert_eq!(key["scopes"], serde_json::json!(["articles:read"]));
    let id = key["key_id"].as_str().unwrap();
    let table =
        text(&run(folder.path(), &["key", "list", "--database", database, "--account", "harbour-bakery"]).stdout);
    assert!(table.starts_with("key_id") && table.contains(id) && table.contains("articles only"), "{table}");
    assert!(!table.contains("cg_live_"), "{table}");

    let revoke = ["key", "revoke", "--database", database, "--account", "harbour-bakery", "--id", id];
    let revoked = run(folder.path(), &revoke);
    assert_eq!(value(&revoked, "key_id"), id);
    let revoked_at = value(&revoked, "revoked_at");
    assert_eq!(articles()["status"], 401);
    // A second revocation succeeds and keeps the first time.
    assert_eq!(value(&run(folder.path(), &revoke), "revoked_at"), revoked_at);
    let foreign = ["key", "revoke", "--database", database, "--account", "trail-workshop", "--id", id];
    assert_fails(&run(folder.path(), &foreign), 2, "no such key");

    // A stopping server stores the times of last use.
    assert_eq!(server.stop("-TERM"), Some(0));
    let all = keys(&folder, database);
    let named = |name: &str| all.iter().find(|key| key["name"] == name).unwrap();
    let used = named("articles only");
    assert_eq!((&used["state"], &used["revoked_at"]), (&"revoked".into(), &revoked_at.into()));
    assert!(used["last_used_at"].is_string(), "{used}");
    assert_eq!(named("everything")["last_used_at"], Value::Null);
}
