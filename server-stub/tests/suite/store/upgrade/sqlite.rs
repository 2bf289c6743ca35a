//! The statements of schema version 1 of SQLite.

use std::sync::Arc;

use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options};
use rusqlite::{Connection, Params, Row};

use super::beside::{ACCOUNT, NOW, OlderProcess, REQUEST, WEBSITE, both_go_on, confirmed_lead, lead};

/// What that version knew of the schema's history.
const SCHEMA: &str = include_str!("../../../../src/storage/sqlite/migrations/0001_foundation.sql");

struct Version1(Connection);

impl Version1 {
    fn execute(&self, sql: &str, values: impl Params) {
        self.0.prepare_cached(sql).unwrap().execute(values).unwrap();
    }

    /// How many rows a query has.
    fn count(&self, sql: &str, values: impl Params) -> usize {
        self.0.prepare_cached(sql).unwrap().query_map(values, |_| Ok(())).unwrap().map(Result::unwrap).count()
    }

    fn texts(&self, sql: &str, values: impl Params) -> Vec<String> {
        let first = |row: &Row<'_>| row.get(0);
        self.0.prepare_cached(sql).unwrap().query_map(values, first).unwrap().map(Result::unwrap).collect()
    }
}

impl OlderProcess for Version1 {
    async fn register(&mut self) {
        self.execute("INSERT INTO accounts (id, name, created_at) VALUES (?1, ?2, ?3)", (ACCOUNT, "first", NOW));
        self.execute(
            "INSERT INTO websites (id, account_id, status, name, url, language, time_zone, auto_publish, brand_voice_id,
                created_at, updated_at)
             VALUES (?1, ?2, 'active', 'A website', 'https://example.org/', 'en', 'UTC', 1, NULL, ?3, ?3)",
            (WEBSITE, ACCOUNT, NOW),
        );
    }

    async fn queue(&mut self, job_id: &str) {
        let post_id = format!("post_{job_id}");
        self.0.execute_batch("BEGIN IMMEDIATE").unwrap();
        let depths =
            "SELECT unfinished, (SELECT sum(unfinished) FROM queue_depths WHERE account_id = ?2) FROM queue_depths
             WHERE website_id = ?1";
        assert_eq!(self.count(depths, (WEBSITE, ACCOUNT)), 1);
        self.execute(
            "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts,
                deadline_at, created_at, run_at)
             VALUES (?1, ?2, ?3, ?4, ?5, 'queued', 0, 0, ?6, ?7, ?7)",
            (job_id, ACCOUNT, WEBSITE, &post_id, REQUEST, NOW + 3_600_000, NOW),
        );
        self.execute(
            "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish,
                attempts, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, 'a topic', 'queued', NULL, 1, 0, ?5, ?5)",
            (&post_id, ACCOUNT, WEBSITE, job_id, NOW),
        );
        self.0.execute_batch("COMMIT").unwrap();
    }

    async fn claim(&mut self) -> Vec<String> {
        self.0.execute_batch("BEGIN IMMEDIATE").unwrap();
        let due = "SELECT * FROM jobs WHERE run_at <= ?1 AND deadline_at > ?1 ORDER BY run_at, id LIMIT ?2";
        let due = self.texts(due, (NOW, 100));
        for job_id in &due {
            self.execute(
                "UPDATE scheduled_posts SET status = 'generating', updated_at = ?2 WHERE id = ?1",
                (format!("post_{job_id}"), NOW),
            );
            self.execute(
                "UPDATE jobs SET status = 'in_progress', attempts = ?2, progress = ?3, started_at = ?4, deadline_at = ?5,
                    run_at = ?6, lease_token = ?7
                 WHERE id = ?1",
                (job_id, 1, 10, NOW, NOW + 900_000, NOW + 90_000, format!("token_{job_id}")),
            );
        }
        self.0.execute_batch("COMMIT").unwrap();
        due
    }

    async fn complete(&mut self, job_id: &str) -> String {
        let article_id = format!("art_{job_id}");
        self.0.execute_batch("BEGIN IMMEDIATE").unwrap();
        let leased = "SELECT * FROM jobs WHERE id = ?1 AND lease_token = ?2 AND status = 'in_progress'";
        assert_eq!(self.texts(leased, (job_id, format!("token_{job_id}"))), [job_id]);
        let taken = "SELECT 1 FROM articles WHERE website_id = ?1 AND slug = ?2";
        assert_eq!(self.count(taken, (WEBSITE, job_id)), 0);
        self.execute(
            "INSERT INTO articles (id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag, summary,
                body)
             VALUES (?1, ?2, ?3, ?4, 'scheduled', ?4, ?5, ?5, '\"etag\"', '{}', '{}')",
            (&article_id, ACCOUNT, WEBSITE, job_id, NOW),
        );
        self.execute(
            "UPDATE jobs SET status = 'completed', progress = 100, article_id = ?2, finished_at = ?3, run_at = NULL,
                lease_token = NULL
             WHERE id = ?1",
            (job_id, &article_id, NOW),
        );
        self.execute(
            "UPDATE scheduled_posts SET status = ?2, article_id = ?3, run_at = ?4, updated_at = ?5 WHERE id = ?1",
            (format!("post_{job_id}"), "scheduled", &article_id, NOW, NOW),
        );
        self.0.execute_batch("COMMIT").unwrap();
        article_id
    }

    async fn capture(&mut self, lead_id: &str) {
        let event_id = format!("evt_{lead_id}");
        self.0.execute_batch("BEGIN IMMEDIATE").unwrap();
        let known = "SELECT 1 FROM leads WHERE identity = ?1 AND captured_at >= ?2 LIMIT 1";
        assert_eq!(self.count(known, (lead_id, NOW)), 0);
        self.execute(
            "INSERT INTO leads (id, account_id, website_id, article_id, identity, captured_at, body)
             VALUES (?1, ?2, ?3, NULL, ?4, ?5, ?6)",
            (lead_id, ACCOUNT, WEBSITE, lead_id, NOW, lead(lead_id)),
        );
        self.execute(
            "INSERT INTO events (id, account_id, website_id, type, object_id, created_at, body, body_with_content)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
            (&event_id, ACCOUNT, WEBSITE, "lead.captured", lead_id, NOW, b"{}"),
        );
        let wanting = "SELECT id FROM hook_endpoints
             WHERE account_id = ?1 AND status = 'active' AND (website_id IS NULL OR website_id = ?2)
               AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = ?3)
             ORDER BY id";
        for endpoint_id in self.texts(wanting, (ACCOUNT, WEBSITE, "lead.captured")) {
            self.execute(
                "INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at, run_at)
                 VALUES (?1, ?2, ?3, 'pending', 0, ?4, ?4)",
                (format!("dlv_{lead_id}_{endpoint_id}"), &event_id, endpoint_id, NOW),
            );
        }
        self.0.execute_batch("COMMIT").unwrap();
    }

    async fn confirm(&mut self, lead_id: &str) {
        self.execute("UPDATE leads SET body = ?2 WHERE id = ?1", (lead_id, confirmed_lead(lead_id)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_process_goes_on_beside_this_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("older.db");
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection.pragma_update(None, "application_id", 0x4347_656E).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    let open = || {
        let address = format!("sqlite:{}", path.display());
        let store = storage::open(&address, &Options::new(Arc::new(SystemRandomness))).unwrap();
        let version = storage::migrate(&address, &Options::new(Arc::new(SystemRandomness))).unwrap();
        assert!(version > 1, "the statements here are those of the version before");
        store
    };
    both_go_on(Version1(connection), open).await;
}
