//! Changes to an account outside of its user's browser.

use contentgen_server_stub::domain::key::Quota;
use contentgen_server_stub::server::{Running, Settings};
use serde_json::Value;

use crate::api::client::Caller;

/// Returns settings of a demonstration that only serves requests, without limits.
pub(crate) fn settings() -> Settings {
    let capture_quota = Quota { requests: 100_000, window_seconds: 60 };
    Settings { is_worker: false, capture_quota, ..Settings::demo() }
}

/// Returns a caller with the key of a demonstration's account.
pub(crate) fn caller(running: &Running, account: usize) -> Caller {
    Caller::new(running.base_url().unwrap(), Some(&running.accounts()[account].api_key))
}

/// Captures a lead on the account's website.
pub(crate) async fn capture(running: &Running, account: usize, body: &Value) {
    let visitor = caller(running, account).with_key(None);
    let answer = visitor.post_json(&format!("/capture/{}", running.accounts()[account].website_id), body).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
}

/// Returns the id of the account's newest lead.
pub(crate) async fn newest_lead(running: &Running, account: usize) -> String {
    let page = caller(running, account).get("/api/v1/leads?limit=1").await.json();
    page["items"][0]["id"].as_str().unwrap().to_owned()
}

/// Registers a webhook at an address without a server. Returns its id.
pub(crate) async fn register_hook(running: &Running, account: usize) -> String {
    running.create_hook(&running.accounts()[account].name, "http://127.0.0.1:9/in", &[]).await.unwrap().0
}

/// Opens the server's database.
pub(crate) fn database(running: &Running) -> rusqlite::Connection {
    rusqlite::Connection::open(running.database().strip_prefix("sqlite:").unwrap()).unwrap()
}

/// Returns the audit trail of all accounts as action, subject and detail, newest first.
pub(crate) fn audit_trail(running: &Running) -> Vec<(String, String, String)> {
    let database = database(running);
    let mut statement = database
        .prepare(
            "SELECT action, coalesce(subject, ''), coalesce(detail, '') FROM audit_entries ORDER BY at DESC, id DESC",
        )
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Returns the time of the server's wall clock.
pub(crate) fn now(running: &Running) -> i64 {
    running.app().clock().wall().millis()
}

/// Inserts an article into the database that was written `days_ago` days ago.
pub(crate) fn insert_article(running: &Running, account: usize, days_ago: i64) {
    let website_id = &running.accounts()[account].website_id;
    let time = now(running) - days_ago * 86_400_000;
    let database = database(running);
    let number: i64 = database.query_row("SELECT count(*) FROM articles", [], |row| row.get(0)).unwrap();
    let insert = format!(
        "INSERT INTO articles (id, account_id, website_id, status, slug, created_at, updated_at, etag, search_text, summary, body)
         SELECT 'art_{number}', account_id, id, 'draft', 'a-{number}', {time}, {time}, 'e', '', '{{}}', '{{}}'
         FROM websites WHERE id = '{website_id}'"
    );
    assert_eq!(database.execute(&insert, []).unwrap(), 1);
}
