//! Retention of records: `website set` for leads, options of `serve` for all other kinds.

use serde_json::json;

use super::hooks::two_accounts;
use super::program::{Server, assert_fails, run, text, value};
use crate::waiting::until_ok_blocking;

#[test]
fn leads_are_erased_when_the_retention_of_their_website_is_over() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, other] = two_accounts(folder.path());
    let website = |name: &str| {
        value(&own.done("website create", &["--name", name, "--url", "https://own.example"]), "website_id")
    };
    let [short, long, endless] = ["Short", "Long", "Endless"].map(website);
    let key = value(&own.done("key create", &["--name", "k"]), "key");
    let hook = value(&own.done("hook create", &["--url", "https://example.com/hooks"]), "hook");
    let database = ["--database", "sqlite:own.db"];
    let server = Server::start(folder.path(), &[&database[..], &["--roles", "api"]].concat());
    for website_id in [&short, &long, &endless] {
        let lead = json!({ "email": "one@example.org", "consent": { "given": true } }).to_string();
        server.http("POST", &format!("/capture/{website_id}"), &key, &lead);
    }
    assert_eq!(server.stop("-TERM"), Some(0));
    // Three days pass.
    let file = rusqlite::Connection::open(folder.path().join("own.db")).unwrap();
    file.execute_batch("UPDATE leads SET captured_at = captured_at - 3 * 24 * 60 * 60 * 1000").unwrap();
    drop(file);

    let set = |id: &str, retention: &str| own.run("website set", &["--id", id, "--lead-retention", retention]);
    for wrong in ["23h", "3651d", "2", "always"] {
        assert_fails(&set(&short, wrong), 2, "from 1d to 3650d, such as 45d, or forever");
    }
    assert_fails(&other.run("website set", &["--id", &short, "--lead-retention", "1d"]), 2, "no website");
    assert_eq!(value(&set(&short, "48h"), "lead_retention"), "2d");
    assert_eq!(value(&set(&long, "4d"), "lead_retention"), "4d");
    assert_eq!(value(&set(&endless, "1d"), "lead_retention"), "1d");
    assert_eq!(value(&set(&endless, "forever"), "lead_retention"), "forever");
    let shown: Vec<_> = own.objects("website list", &[]).iter().map(|one| one["lead_retention"].clone()).collect();
    assert_eq!(shown, ["forever", "4d", "2d"], "newest first");
    let columns = text(&own.done("website list", &[]).stdout);
    assert!(columns.contains(&short) && columns.contains("lead_retention") && columns.contains("2d"), "{columns}");

    let server = Server::start(folder.path(), &[&database[..], &["--allow-loopback-hooks"]].concat());
    let left = until_ok_blocking("only two leads are left", || {
        let left = server.http("GET", "/api/v1/leads", &key, "");
        if left["items"].as_array().is_some_and(|leads| leads.len() <= 2) { Ok(left) } else { Err(left) }
    });
    let left: Vec<_> = left["items"].as_array().unwrap().iter().map(|lead| &lead["website_id"]).collect();
    assert!(left.contains(&&json!(long)) && left.contains(&&json!(endless)), "{left:?}");
    assert_eq!(own.objects("hook deliveries", &["--id", &hook]).len(), 2, "its deliveries are deleted, too");
    assert_eq!(server.stop("-TERM"), Some(0));
}

#[test]
fn what_the_contract_promises_is_kept_whatever_an_operator_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    for (option, too_short, bounds) in [
        ("--event-retention", "14d", "from 15d to 3650d"),
        ("--delivery-retention", "359h", "from 15d to 3650d"),
        ("--attempt-retention", "23h", "from 1d to 3650d"),
        ("--unconfirmed-lead-retention", "167h", "from 7d to 3650d"),
        ("--idempotency-retention", "86399s", "from 1d to 30d"),
        ("--job-retention", "30d", "from 31d to 3650d"),
        ("--audit-retention", "29d", "from 30d to 3650d"),
    ] {
        assert_fails(&run(folder.path(), &["serve", option, too_short]), 2, bounds);
    }
    // The retries take 19 days, and the event would be deleted before the last one.
    let schedule = ["serve", "--demo", "--listen", "127.0.0.1:0", "--hook-retry-schedule", "7d,7d,5d"];
    let short = [&schedule[..], &["--event-retention", "19d"]].concat();
    assert_fails(&run(folder.path(), &short), 2, "--event-retention must be at least 20d");
}
