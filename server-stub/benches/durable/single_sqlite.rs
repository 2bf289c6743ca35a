//! A pool on SQLite that writes each submission in a separate transaction.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::store::Submission;
use rusqlite::{Connection, params};
use tokio::sync::Semaphore;

use crate::queues::Queue;

/// Connections of the pool.
const CONNECTIONS: usize = 8;
/// Long enough that no connection gives up.
const BUSY_TIMEOUT: Duration = Duration::from_mins(1);

/// Connections, each used by one caller at a time.
pub(crate) struct SqlitePool {
    free: Semaphore,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl SqlitePool {
    /// Opens the connections with the settings of the store's writer.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let mut idle = Vec::with_capacity(CONNECTIONS);
        for _ in 0..CONNECTIONS {
            let connection = Connection::open(path)?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "secure_delete", true)?;
            connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
            connection.pragma_update(None, "cache_size", -8 * 1024)?;
            idle.push(connection);
        }
        Ok(Self { free: Semaphore::new(CONNECTIONS), idle: Arc::new(Mutex::new(idle)) })
    }
}

#[async_trait]
impl Queue for SqlitePool {
    async fn submit(&self, submission: Submission) -> anyhow::Result<()> {
        let _place = self.free.acquire().await?;
        let idle = Arc::clone(&self.idle);
        tokio::task::spawn_blocking(move || {
            let connection = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = connection.context("there are as many connections as places")?;
            let inserted = insert(&connection, &submission);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            inserted
        })
        .await?
    }
}

fn insert(connection: &Connection, Submission { job, post, .. }: &Submission) -> anyhow::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    connection
        .prepare_cached(
            "INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts,
                deadline_at, expires_at, created_at, run_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)",
        )?
        .execute(params![
            job.id,
            job.account_id,
            job.website_id,
            job.scheduled_post_id,
            serde_json::to_string(&job.request)?,
            job.status.as_str(),
            job.progress,
            job.attempts,
            job.deadline_at.millis(),
            job.expires_at.millis(),
            job.created_at.millis(),
        ])?;
    connection
        .prepare_cached(
            "INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish,
                attempts, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            post.id,
            post.account_id,
            post.website_id,
            post.job_id,
            post.topic,
            post.status.as_str(),
            post.publish_at.map(Timestamp::millis),
            post.auto_publish,
            post.attempts,
            post.created_at.millis(),
            post.updated_at.millis(),
        ])?;
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
