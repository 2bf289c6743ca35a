//! The statements of schema versions 1 and 2 of PostgreSQL, which are in `postgres_1.sql`: version 2 added a column that those who
//! write articles do not use.

use contentgen_server_stub::domain::job::Job;
use contentgen_server_stub::storage;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::beside::{ACCOUNT, NOW, OlderProcess, REQUEST, WEBSITE, both_go_on, changed_leads, confirmed_lead, lead};
use crate::postgres::Schema;
use crate::store::postgres::options;

/// Schema history of these versions.
const SCRIPTS: [&str; 2] = [
    include_str!("../../../../src/storage/postgres/migrations/0001_foundation.sql"),
    include_str!("../../../../src/storage/postgres/migrations/0002_retention.sql"),
];
const STATEMENTS: &str = include_str!("postgres_1.sql");

pub(super) struct Older {
    client: Client,
    _driving: JoinSet<()>,
}

impl Older {
    /// Makes the schema of `version`, and a process that works with it.
    pub(super) async fn new(address: &str, version: usize) -> Self {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
        let driving = JoinSet::from_iter([async move { drop(connection.await) }]);
        let scripts = SCRIPTS[..version].concat();
        let settings = format!(
            "CREATE TABLE contentgen_schema (version BIGINT NOT NULL); INSERT INTO contentgen_schema VALUES ({version});
            INSERT INTO settings (name, value) VALUES ('token_secret', sha256('older'))"
        );
        client.batch_execute(&format!("{scripts}; {settings}")).await.unwrap();
        client.batch_execute(STATEMENTS).await.unwrap();
        Self { client, _driving: driving }
    }

    /// Runs statements in one transaction; the first column of all rows.
    async fn run(&self, statements: &str) -> Vec<String> {
        self.go_on(&format!("BEGIN; {statements}; COMMIT")).await
    }

    /// Runs statements in the transaction that has begun, if one has; the first column of all rows.
    pub(super) async fn go_on(&self, statements: &str) -> Vec<String> {
        let rows = self.client.simple_query(statements).await.unwrap();
        let first = |message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        };
        rows.into_iter().filter_map(first).collect()
    }

    /// Claims all jobs that are due at a time, which begins them; their ids in order.
    pub(super) async fn claim_at(&self, now: i64) -> Vec<String> {
        let due = self.run(&format!("EXECUTE due_jobs ({now}, 100)")).await;
        for job_id in &due {
            self.run(&format!(
                "EXECUTE lease_jobs ('{{{job_id}}}', '{{1}}', '{{0}}', '{{10}}', '{{{now}}}', ARRAY[{now} + 900000],
                    ARRAY[{now} + 90000], '{{token_{job_id}}}');
                 EXECUTE begin_posts ('{{post_{job_id}}}', '{{{now}}}')"
            ))
            .await;
        }
        due
    }

    /// Prolongs its lease of a job.
    pub(super) async fn renew(&self, job_id: &str, until: i64) {
        self.run(&format!("EXECUTE renew_job ('{job_id}', 'token_{job_id}', {until})")).await;
    }

    /// Cancels a job with its post.
    pub(super) async fn cancel(&self, job: &Job, now: i64) {
        let (job_id, post_id) = (&job.id, &job.scheduled_post_id);
        self.run(&format!("EXECUTE cancel_job ('{job_id}', {now}); EXECUTE cancel_post ('{post_id}', {now})")).await;
    }

    /// Records that its attempt at a job failed.
    pub(super) async fn retry(&self, job_id: &str, retry_at: i64) {
        let retry = format!("{}; EXECUTE retry_job ('{job_id}', {retry_at})", lock_leased(job_id));
        assert_eq!(self.run(&retry).await, ["1"]);
    }
}

/// First statement of a completion: it locks the job.
pub(super) fn lock_leased(job_id: &str) -> String {
    format!("EXECUTE lock_leased ('{{{job_id}}}', '{{token_{job_id}}}')")
}

/// Statements that complete a job.
pub(super) fn completion(job_id: &str, article_id: &str) -> String {
    format!(
        "EXECUTE insert_articles ('{{{article_id}}}', '{{{ACCOUNT}}}', '{{{WEBSITE}}}', '{{{job_id}}}', '{{scheduled}}',
            '{{{job_id}}}', '{{{NOW}}}', '{{{NOW}}}', '{{etag}}', ARRAY['{{}}'], ARRAY['{{}}']);
         EXECUTE complete_jobs ('{{{job_id}}}', '{{{article_id}}}', '{{{NOW}}}');
         EXECUTE move_posts ('{{post_{job_id}}}', '{{scheduled}}', '{{{article_id}}}', '{{{NOW}}}', '{{{NOW}}}')"
    )
}

impl OlderProcess for Older {
    async fn register(&mut self) {
        self.run(&format!(
            "EXECUTE insert_account ('{ACCOUNT}', 'first', {NOW});
             EXECUTE insert_website ('{WEBSITE}', '{ACCOUNT}', {NOW})"
        ))
        .await;
    }

    async fn queue(&mut self, job_id: &str) {
        self.run(&format!(
            "EXECUTE lock_queue_depths ('{{{ACCOUNT}}}');
             EXECUTE insert_jobs ('{{{job_id}}}', '{{{ACCOUNT}}}', '{{{WEBSITE}}}', '{{post_{job_id}}}', ARRAY['{REQUEST}'],
                '{{queued}}', '{{0}}', '{{0}}', ARRAY[{NOW} + 3600000], '{{{NOW}}}');
             EXECUTE insert_posts ('{{post_{job_id}}}', '{{{ACCOUNT}}}', '{{{WEBSITE}}}', '{{{job_id}}}', '{{a topic}}',
                '{{queued}}', '{{NULL}}', '{{1}}', '{{0}}', '{{{NOW}}}', '{{{NOW}}}')"
        ))
        .await;
    }

    async fn claim(&mut self) -> Vec<String> {
        self.claim_at(NOW).await
    }

    async fn complete(&mut self, job_id: &str) -> String {
        assert_eq!(self.run(&lock_leased(job_id)).await, ["1"]);
        let article_id = format!("art_{job_id}");
        self.run(&completion(job_id, &article_id)).await;
        article_id
    }

    async fn capture(&mut self, lead_id: &str) {
        assert_eq!(self.run(&format!("EXECUTE known_lead ('{lead_id}', {NOW})")).await, [""; 0]);
        let (event_id, body) = (format!("evt_{lead_id}"), lead(lead_id));
        let endpoints = self
            .run(&format!(
                "EXECUTE insert_lead ('{lead_id}', '{ACCOUNT}', '{WEBSITE}', NULL, '{lead_id}', {NOW}, '{body}');
                 EXECUTE insert_event ('{event_id}', '{ACCOUNT}', '{WEBSITE}', 'lead.captured', '{lead_id}', {NOW}, '{{}}', NULL);
                 EXECUTE subscribers ('{ACCOUNT}', '{WEBSITE}')"
            ))
            .await;
        for endpoint_id in endpoints {
            self.run(&format!(
                "EXECUTE insert_deliveries ('{{dlv_{lead_id}}}', '{{{event_id}}}', '{{{endpoint_id}}}', '{{{NOW}}}')"
            ))
            .await;
        }
    }

    async fn confirm(&mut self, lead_id: &str) {
        self.run(&format!("UPDATE leads SET body = '{}' WHERE id = '{lead_id}'", confirmed_lead(lead_id))).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_process_goes_on_beside_this_one() {
    for version in 1..=SCRIPTS.len() {
        let Some(schema) = Schema::new() else { return };
        let older = Older::new(schema.address(), version).await;
        both_go_on(older, || storage::open(schema.address(), &options()).unwrap()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_confirmation_by_an_older_process_counts_as_a_change() {
    let Some(schema) = Schema::new() else { return };
    let mut older = Older::new(schema.address(), 2).await;
    older.register().await;
    older.capture("lead_1").await;
    let store = storage::open(schema.address(), &options()).unwrap();
    assert_eq!(changed_leads(&store, 60_123).await, [""; 0]);
    older.confirm("lead_1").await;
    assert_eq!(changed_leads(&store, 60_123).await, ["lead_1"]);
}
