//! A pool on PostgreSQL that writes each submission in a separate transaction.

use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use async_trait::async_trait;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::store::Submission;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls, Statement};

use crate::queues::Queue;

/// Connections of the pool.
const CONNECTIONS: usize = 16;

/// Connections, each used by one caller at a time.
pub(crate) struct PostgresPool {
    free: Semaphore,
    idle: Mutex<Vec<Prepared>>,
    _connections: JoinSet<()>,
}

/// A connection with its statements.
struct Prepared {
    client: Client,
    insert_job: Statement,
    insert_post: Statement,
}

impl PostgresPool {
    /// Connects.
    pub(crate) async fn connect(address: &str) -> anyhow::Result<Self> {
        let (mut idle, mut connections) = (Vec::with_capacity(CONNECTIONS), JoinSet::new());
        for _ in 0..CONNECTIONS {
            let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
            // The next statement reports a broken connection.
            connections.spawn(async move { drop(connection.await) });
            client.batch_execute("SET synchronous_commit = 'on'").await?;
            let insert_job = client
                .prepare(
                    "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress,
                        attempts, deadline_at, expires_at, created_at, run_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
                )
                .await?;
            let insert_post = client
                .prepare(
                    "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at,
                        auto_publish, attempts, created_at, updated_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
                )
                .await?;
            idle.push(Prepared { client, insert_job, insert_post });
        }
        Ok(Self { free: Semaphore::new(CONNECTIONS), idle: Mutex::new(idle), _connections: connections })
    }
}

#[async_trait]
impl Queue for PostgresPool {
    async fn submit(&self, submission: Submission) -> anyhow::Result<()> {
        let _place = self.free.acquire().await?;
        let prepared = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let prepared = prepared.context("there are as many connections as places")?;
        let inserted = insert(&prepared, &submission).await;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(prepared);
        inserted
    }
}

async fn insert(prepared: &Prepared, Submission { job, post, .. }: &Submission) -> anyhow::Result<()> {
    let Prepared { client, insert_job, insert_post } = prepared;
    client.batch_execute("BEGIN").await?;
    client
        .execute(
            insert_job,
            &[
                &job.id,
                &job.account_id,
                &job.website_id,
                &job.scheduled_post_id,
                &serde_json::to_string(&job.request)?,
                &job.status.as_str(),
                &i64::from(job.progress),
                &i64::from(job.attempts),
                &job.deadline_at.millis(),
                &job.expires_at.millis(),
                &job.created_at.millis(),
            ],
        )
        .await?;
    client
        .execute(
            insert_post,
            &[
                &post.id,
                &post.account_id,
                &post.website_id,
                &post.job_id,
                &post.topic,
                &post.status.as_str(),
                &post.publish_at.map(Timestamp::millis),
                &i64::from(post.auto_publish),
                &i64::from(post.attempts),
                &post.created_at.millis(),
                &post.updated_at.millis(),
            ],
        )
        .await?;
    client.batch_execute("COMMIT").await?;
    Ok(())
}
