//! The commands: their output, their exit codes, and the data that survives them.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{Server, assert_fails, run, text, value};
use crate::api::contract;

#[test]
fn what_is_wrong_on_the_command_line_ends_with_2_and_says_what_to_write() {
    let folder = TempDir::new().unwrap();
    let many = vec!["10.1.0.0/16"; 65].join(",");
    let cases: [(&[&str], &str); 15] = [
        (&[], "Usage"),
        (&["serve", "--nonsense"], "--nonsense"),
        (&["serve", "--listen", "nowhere"], "--listen"),
        (&["serve", "--quota", "api=many"], "20/60s"),
        (&["serve", "--database", "mysql://x"], "sqlite:PATH"),
        (&["migrate", "--database", "postgres://"], "postgres://USER"),
        (&["serve", "--hook-allow-cidr", "10.1.0.0/33"], "10.1.0.0/16"),
        (&["serve", "--hook-allow-cidr", &many], "at most 64 are allowed"),
        (&["serve", "--trusted-proxy", "localhost"], "10.1.0.0/16"),
        (&["serve", "--trusted-proxy", &many], "at most 64 are allowed"),
        (&["serve", "--trusted-proxy", "127.0.0.1/32"], "--public-url"),
        (&["migrate", "--database", "postgres://localhost:port/x"], "postgres://USER:PASSWORD@HOST:PORT/DATABASE"),
        (&["serve", "--log", "=="], "--log"),
        (&["serve", "--roles", "worker", "--demo"], "--public-url"),
        (&["hook", "create", "--account", "a", "--url", "https://example.com", "--event", "x"], "lead.captured"),
    ];
    for (arguments, words) in cases {
        assert_fails(&run(folder.path(), arguments), 2, words);
    }
    assert_eq!(run(folder.path(), &["--help"]).status.code(), Some(0));
    assert_eq!(text(&run(folder.path(), &["openapi"]).stdout), include_str!("../../../../openapi.yaml"));
}

/// Options of `serve` that set limits of the document.
const LIMIT_OPTIONS: [(&str, &str); 12] = [
    ("articles_per_day", "--articles-per-day"),
    ("capture_rate", "--quota"),
    ("ended_jobs", "--job-retention"),
    ("hook_attempts", "--hook-retry-schedule"),
    ("hook_timeout", "--hook-timeout"),
    ("idempotency_window", "--idempotency-retention"),
    ("page_rate", "--quota"),
    ("rate_api", "--quota"),
    ("rate_generate", "--quota"),
    ("unconfirmed_leads", "--unconfirmed-lead-retention"),
    ("unfinished_jobs_per_account", "--queue-per-account"),
    ("unfinished_jobs_per_website", "--queue-per-website"),
];

#[test]
fn the_limits_that_the_document_marks_as_configurable_have_options() {
    let limits = contract::DOCUMENT["x-limits"].as_object().unwrap();
    let marked: BTreeSet<_> =
        limits.iter().filter(|(_, limit)| limit["configurable"] == true).map(|(name, _)| name.as_str()).collect();
    assert_eq!(marked, LIMIT_OPTIONS.map(|(limit, _)| limit).into());
    let help = text(&run(TempDir::new().unwrap().path(), &["serve", "--help"]).stdout);
    for (limit, option) in LIMIT_OPTIONS {
        assert!(help.contains(&format!("{option} <")), "{limit}: {option} is not in:\n{help}");
    }
}

#[test]
fn what_cannot_start_ends_with_3_and_leaves_nothing_half_written() {
    let folder = TempDir::new().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let in_use = run(folder.path(), &["serve", "--demo", "--listen", &address]);
    assert_fails(&in_use, 3, "in use");
    let metrics = ["serve", "--demo", "--listen", "127.0.0.1:0", "--metrics-listen", &address];
    assert_fails(&run(folder.path(), &metrics), 3, "--metrics-listen");
    let missing = run(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--database", "sqlite:missing/server.db"]);
    assert_fails(&missing, 3, "missing");
    std::fs::write(
        folder.path().join("notes.txt"),
        "These are notes, not a database, and they are long enough to tell.",
    )
    .unwrap();
    let corrupt = run(folder.path(), &["migrate", "--database", "sqlite:notes.txt"]);
    assert_fails(&corrupt, 3, "not an SQLite database");
    let unwritable =
        run(folder.path(), &["serve", "--demo", "--listen", "127.0.0.1:0", "--ready-file", "missing/ready.json"]);
    assert_fails(&unwritable, 3, "--ready-file");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
}

#[test]
fn an_operator_sets_up_an_account_and_its_keys_work() {
    let folder = TempDir::new().unwrap();
    let database = ["--database", "sqlite:own.db"];
    let run = |arguments: &[&str]| run(folder.path(), &[arguments, &database[..]].concat());
    assert_eq!(run(&["migrate"]).status.code(), Some(0));
    assert_fails(&run(&["key", "create", "--account", "own", "--name", "k"]), 2, "account create");
    assert_eq!(run(&["account", "create", "--name", "own"]).status.code(), Some(0));
    assert_fails(&run(&["account", "create", "--name", "own"]), 2, "exists");
    assert_fails(&run(&["key", "create", "--account", "own", "--name", "k"]), 2, "website create");
    let website = run(&["website", "create", "--account", "own", "--name", "Own", "--url", "https://own.example"]);
    let website_id = value(&website, "website_id");
    assert_fails(
        &run(&["website", "create", "--account", "own", "--name", "Own", "--url", "http://own.example"]),
        2,
        "https://",
    );
    let key = run(&[
        "key",
        "create",
        "--account",
        "own",
        "--name",
        "k",
        "--scope",
        "websites:read",
        "--website",
        &website_id,
        "--quota",
        "api=7/60s",
    ]);
    let key = value(&key, "key");
    let hook = run(&["hook", "create", "--account", "own", "--url", "http://127.0.0.1:9000/x", "--include-content"]);
    assert!(value(&hook, "secret").starts_with("whsec_"));
    assert_fails(&run(&["hook", "create", "--account", "own", "--url", "http://example.com"]), 2, "https://");
    let server = Server::start(folder.path(), &database);
    assert_eq!(server.http("GET", "/api/v1/websites", &key, "")["items"][0]["website_id"], website_id.as_str());
    assert_eq!(server.http("GET", "/api/v1/leads", &key, "")["code"], "insufficient_scope");
    assert_eq!(server.stop("-INT"), Some(0));
}

#[test]
fn a_demonstration_tells_what_a_newcomer_needs_and_cleans_up() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("ready.json"), "from an earlier run").unwrap();
    let server = Server::start(folder.path(), &["--demo"]);
    let ready = server.ready.clone();
    assert_eq!(ready["metrics_url"], Value::Null);
    assert_eq!(ready["accounts"].as_array().unwrap().len(), 2);
    let base_url = ready["base_url"].as_str().unwrap();
    assert_eq!(ready["dashboard_url"], format!("{base_url}/dashboard"));
    let sign_in_url = ready["accounts"][0]["sign_in_url"].as_str().unwrap();
    assert!(sign_in_url.starts_with(&format!("{base_url}/dashboard/sign-in/")), "{sign_in_url}");
    server.expect_printed(sign_in_url);
    let account = &ready["accounts"][0];
    let key = account["api_key"].as_str().unwrap();
    let order = json!({ "topic": "A demonstration", "website_id": account["website_id"] }).to_string();
    let job = server.http("POST", "/api/v1/generate", key, &order);
    let job = server.http("GET", &format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap()), key, "");
    assert_eq!(job["status"], "completed");
    let database = ready["database"].as_str().unwrap();
    let hook = run(
        folder.path(),
        &[
            "hook",
            "create",
            "--database",
            database,
            "--account",
            account["name"].as_str().unwrap(),
            "--url",
            "http://127.0.0.1:9000/",
        ],
    );
    assert!(value(&hook, "hook").starts_with("hook_"));
    let file = database.strip_prefix("sqlite:").unwrap().to_owned();
    assert!(Path::new(&file).exists());
    assert_eq!(server.stop("-TERM"), Some(0));
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_server_stopped_or_killed_amid_its_queue_loses_no_job() {
    // The killed server had no worker, because jobs of a killed worker return only when their lease expires.
    let both: [(&str, &str, usize); 2] = [("-TERM", "api,worker", 100), ("-KILL", "api", 20)];
    for (signal, roles, count) in both {
        let folder = TempDir::new().unwrap();
        let demo = ["--demo", "--database", "sqlite:kept.db"];
        let server = Server::start(folder.path(), &[&demo[..], &["--roles", roles]].concat());
        let account = server.ready["accounts"][0].clone();
        let key = account["api_key"].as_str().unwrap();
        let order = |number: usize| json!({ "topic": format!("Job {number}"), "website_id": account["website_id"], "target_word_count": 200 });
        let queue =
            |number: usize| server.http("POST", "/api/v1/generate", key, &order(number).to_string())["job_id"].clone();
        let ids: Vec<_> = (0..count).map(queue).collect();
        let code = server.stop(signal);
        assert!(code == Some(0) || signal == "-KILL", "{code:?}");
        let server = Server::start(folder.path(), &demo);
        // The same database has the same keys.
        for (name, value) in account.as_object().unwrap().iter().filter(|(name, _)| *name != "sign_in_url") {
            assert_eq!(server.ready["accounts"][0][name], *value, "{name}");
        }
        for id in ids {
            let path = format!("/api/v1/jobs/{}", id.as_str().unwrap());
            let is_done = |_| server.http("GET", &path, key, "")["status"] == "completed";
            assert!((0..3).any(is_done), "{id} after {signal}");
        }
        assert_eq!(server.stop("-TERM"), Some(0));
    }
}

#[test]
fn a_retry_schedule_that_cannot_be_kept_is_refused_with_its_form() {
    let folder = tempfile::tempdir().unwrap();
    let too_many = ["1s"; 21].join(",");
    for (schedule, words) in [("5", "5s,5m,30m,2h"), ("8d", "from 10ms to 7d"), (&too_many, "20 are allowed")] {
        let output = run(folder.path(), &["serve", "--hook-retry-schedule", schedule]);
        assert_fails(&output, 2, words);
    }
}
