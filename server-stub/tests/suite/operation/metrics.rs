//! The metrics of a working server.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::retention::Retention;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{Database, Running, Settings, start};
use contentgen_server_stub::storage::{self, Options};

use super::raw_connection::{get, send, status};
use super::{deploy, guide};
use crate::hooks::receiver::{Answer, Receiver, status as answer_with};
use crate::purger::stored_response;
use crate::store::world::World;
use crate::waiting::until_ok;

pub(crate) fn anywhere() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
}

async fn scrape(running: &Running) -> BTreeMap<String, f64> {
    let answer = get(running.metrics_url().unwrap(), "/metrics").await;
    assert_eq!(status(&answer), 200, "{answer}");
    assert!(
        answer.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"),
        "{answer}"
    );
    let (_, text) = answer.split_once("\r\n\r\n").unwrap();
    let families = check(text);
    assert!(
        families.iter().all(|name| guide::metrics().contains(name)),
        "docs/run-in-production.md lacks one of {families:?}"
    );
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect()
}

/// Checks the rules of `OpenMetrics` 1.0 that scrapers depend on: each family is described once, before its samples, and the text is
/// complete. Returns the name prefixes of the families' samples.
fn check(text: &str) -> BTreeSet<String> {
    let mut described = BTreeSet::new();
    let mut family = String::new();
    let mut sample = String::new();
    for line in text.strip_suffix("# EOF\n").expect("the text ends with its mark").lines() {
        if let Some(comment) = line.strip_prefix("# HELP ") {
            comment.split(' ').next().unwrap().clone_into(&mut family);
        } else if let Some(comment) = line.strip_prefix("# TYPE ") {
            let (name, kind) = comment.split_once(' ').unwrap();
            assert_eq!(name, family);
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            sample = if kind == "counter" { format!("{name}_total") } else { name.to_owned() };
            assert!(described.insert(sample.clone()), "{family} is described twice");
        } else if let Some(comment) = line.strip_prefix("# UNIT ") {
            assert_eq!(comment, format!("{family} seconds"));
        } else {
            let name = line.split(['{', ' ']).next().unwrap();
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
            assert!(name == sample || base == Some(&*family), "{line} is not of {family}");
        }
    }
    described
}

/// Scrapes until `name` has `value`.
async fn wait_for(running: &Running, name: &str, value: f64) -> BTreeMap<String, f64> {
    until_ok(&format!("{name} is {value}"), async || {
        let found = scrape(running).await;
        if found.get(name) == Some(&value) { Ok(found) } else { Err(found.get(name).copied()) }
    })
    .await
}

fn order(running: &Running) -> (String, String) {
    let account = &running.accounts()[0];
    let headers = format!("authorization: Bearer {}\r\ncontent-type: application/json\r\n", account.api_key);
    let body = format!(r#"{{"topic":"Metrics","website_id":"{}","target_word_count":200}}"#, account.website_id);
    (headers, body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_is_counted_and_two_servers_do_not_count_for_each_other() {
    let settings = || Settings { metrics_listen: Some(anywhere()), ..Settings::demo() };
    let (running, other) = (start(settings()).await.unwrap(), start(settings()).await.unwrap());
    let receiver = Receiver::start(&[("/in", Answer::Bytes(answer_with("200 OK")))]).await;
    let hooks = receiver.url("/in");
    let name = running.accounts()[0].name.clone();
    running.create_hook(&name, &hooks, &[EventType::ArticlePublished]).await.unwrap();
    let base_url = running.base_url().unwrap();
    let (headers, body) = order(&running);
    assert_eq!(status(&send(base_url, "POST", "/api/v1/generate", &headers, &body).await), 202);
    assert_eq!(status(&send(base_url, "BREW", "/some/secret-path", "", "").await), 404);
    for path in ["/docs", "/openapi.yaml", "/openapi.json", "/openapi-3.1.json"] {
        assert_eq!(status(&send(base_url, "HEAD", path, "", "").await), 200, "{path}");
    }
    wait_for(&running, "contentgen_jobs_finished_total{outcome=\"completed\"}", 1.0).await;
    wait_for(&running, "contentgen_hook_attempts_total{outcome=\"succeeded\"}", 1.0).await;
    // It is counted after the attempt, so a scrape can come between them.
    let duration = "contentgen_hook_attempt_duration_seconds_count{outcome=\"succeeded\"}";
    let found = wait_for(&running, duration, 1.0).await;
    let value = |name: &str| found.get(name).copied().unwrap_or_else(|| panic!("no {name} in {found:#?}"));
    for (name, expected) in [
        ("contentgen_http_requests_total{operation=\"generate\",method=\"POST\",status=\"2xx\"}", 1.0),
        ("contentgen_http_requests_total{operation=\"none\",method=\"other\",status=\"4xx\"}", 1.0),
        ("contentgen_http_requests_total{operation=\"docs\",method=\"HEAD\",status=\"2xx\"}", 1.0),
        ("contentgen_http_requests_total{operation=\"openapi\",method=\"HEAD\",status=\"2xx\"}", 3.0),
        ("contentgen_http_request_duration_seconds_count{operation=\"generate\"}", 1.0),
        ("contentgen_jobs_finished_total{outcome=\"completed\"}", 1.0),
        ("contentgen_jobs_finished_total{outcome=\"failed\"}", 0.0),
        ("contentgen_generation_duration_seconds_count", 1.0),
        ("contentgen_articles_published_total", 1.0),
        ("contentgen_jobs{state=\"queued\"}", 0.0),
        ("contentgen_database_up", 1.0),
        (concat!("contentgen_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}"), 1.0),
    ] {
        assert_eq!(value(name).to_bits(), f64::to_bits(expected), "{name}");
    }
    for name in guide::metrics() {
        assert!(found.keys().any(|found| found.starts_with(&name)), "{name} is in docs/run-in-production.md only");
    }
    deploy::check_metrics(&found);
    assert!(!found.keys().any(|name| name.contains("secret") || name.contains("BREW") || name.contains("web_")));
    let of_other = scrape(&other).await;
    assert_eq!(of_other["contentgen_articles_published_total"].to_bits(), 0_f64.to_bits());
    assert!(!of_other.keys().any(|name| name.starts_with("contentgen_http_requests")), "{of_other:?}");
    assert!(running.stop().await && other.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_deleted_because_its_time_is_over_is_counted_by_kind() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("kept.db").display());
    let world = World::new(storage::open(&database, &Options::new(Arc::new(SystemRandomness))).unwrap()).await;
    for (key, days) in [("one", 4), ("two", 5), ("young", 2)] {
        stored_response(&world, key, Duration::from_hours(days * 24)).await;
    }
    drop(world);
    let retention = Retention { idempotency_keys: Duration::from_hours(3 * 24), ..Retention::default() };
    let settings =
        Settings { metrics_listen: Some(anywhere()), database: Database::At(database), retention, ..Settings::demo() };
    let running = start(settings).await.unwrap();
    let found = wait_for(&running, "contentgen_records_purged_total{kind=\"idempotency_key\"}", 2.0).await;
    for kind in ["lead", "event", "delivery", "attempt"] {
        let name = format!("contentgen_records_purged_total{{kind=\"{kind}\"}}");
        assert_eq!(found[&name].to_bits(), 0_f64.to_bits(), "{name}");
    }
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queues_are_those_of_the_database_and_nothing_but_metrics_is_served() {
    let settings = Settings { metrics_listen: Some(anywhere()), is_worker: false, ..Settings::demo() };
    let running = start(settings).await.unwrap();
    let (headers, body) = order(&running);
    for _ in 0..3 {
        let answer = send(running.base_url().unwrap(), "POST", "/api/v1/generate", &headers, &body).await;
        assert_eq!(status(&answer), 202, "{answer}");
    }
    let job_id = {
        let answer = send(running.base_url().unwrap(), "POST", "/api/v1/generate", &headers, &body).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str::<serde_json::Value>(body).unwrap()["job_id"].as_str().unwrap().to_owned()
    };
    for _ in 0..2 {
        let path = format!("/api/v1/jobs/{job_id}/cancel");
        assert_eq!(status(&send(running.base_url().unwrap(), "POST", &path, &headers, "").await), 200);
    }
    let found = scrape(&running).await;
    assert_eq!(found["contentgen_jobs{state=\"queued\"}"].to_bits(), 3_f64.to_bits());
    // Cancelled twice, ended once.
    assert_eq!(found["contentgen_jobs_finished_total{outcome=\"cancelled\"}"].to_bits(), 1_f64.to_bits());
    assert!(found.contains_key("contentgen_oldest_job_age_seconds"));
    let url = running.metrics_url().unwrap().to_owned();
    for path in ["/", "/metrics/", "/healthz", "/api/v1/websites"] {
        assert_eq!(status(&get(&url, path).await), 404, "{path}");
    }
    assert_eq!(status(&send(&url, "POST", "/metrics", "", "").await), 404);
    assert_eq!(status(&get(running.base_url().unwrap(), "/metrics").await), 404);
    assert!(running.stop().await);
}

/// Starts a server with a webhook, and opens its database.
async fn beside_its_database() -> (Running, rusqlite::Connection, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db");
    let database = Database::At(format!("sqlite:{}", path.display()));
    let running = start(Settings { metrics_listen: Some(anywhere()), database, ..Settings::demo() }).await.unwrap();
    let name = running.accounts()[0].name.clone();
    running.create_hook(&name, "http://127.0.0.1:9/in", &[EventType::ArticlePublished]).await.unwrap();
    (running, rusqlite::Connection::open(path).unwrap(), folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_that_cannot_be_signed_is_counted() {
    let (running, connection, _folder) = beside_its_database().await;
    connection.execute("UPDATE hook_endpoints SET secret = 'v1.AAAA'", []).unwrap();
    let (headers, body) = order(&running);
    assert_eq!(status(&send(running.base_url().unwrap(), "POST", "/api/v1/generate", &headers, &body).await), 202);
    wait_for(&running, "contentgen_hook_attempts_total{outcome=\"unsigned\"}", 1.0).await;
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_cannot_be_read_is_counted_and_others_are_worked_on() {
    let (running, connection, _folder) = beside_its_database().await;
    connection.execute("UPDATE hook_endpoints SET former_secrets = '{}'", []).unwrap();
    let (headers, body) = order(&running);
    assert_eq!(status(&send(running.base_url().unwrap(), "POST", "/api/v1/generate", &headers, &body).await), 202);
    let found = wait_for(&running, "contentgen_rows_set_aside_total{queue=\"deliveries\"}", 1.0).await;
    assert_eq!(found["contentgen_articles_published_total"].to_bits(), 1_f64.to_bits());
    assert_eq!(found["contentgen_rows_set_aside_total{queue=\"jobs\"}"].to_bits(), 0_f64.to_bits());
    assert!(running.stop().await);
}
