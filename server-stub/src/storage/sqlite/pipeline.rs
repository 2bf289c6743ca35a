//! Statements about pipeline entries on their way to publication. Lists of them are in `lists`.

use rusqlite::{Connection, Row};

use crate::domain::clock::Timestamp;
use crate::domain::job::Failure;
use crate::domain::post::{MAX_PUBLISH_ATTEMPTS, PostStatus, ScheduledPost};
use crate::domain::store::{ClaimedPost, Error, Fenced, PublishOutcome, Result};

use super::claims::lease_token;
use super::row::{maybe_json, maybe_time, named, time, to_json};
use super::{accounts, articles, events};

/// Reads a row of `scheduled_posts`.
pub(super) fn post(row: &Row<'_>) -> Result<ScheduledPost> {
    Ok(ScheduledPost {
        id: row.get("id")?,
        account_id: row.get("account_id")?,
        website_id: row.get("website_id")?,
        job_id: row.get("job_id")?,
        article_id: row.get("article_id")?,
        topic: row.get("topic")?,
        status: named(row, "status", PostStatus::parse)?,
        publish_at: maybe_time(row, "publish_at")?,
        published_at: maybe_time(row, "published_at")?,
        auto_publish: row.get("auto_publish")?,
        attempts: row.get("attempts")?,
        error: maybe_json(row, "error")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
    })
}

/// Claims what is due. Posts of a website that is not active wait until it is.
pub(super) fn claim(
    connection: &Connection,
    limit: u32,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<ClaimedPost>> {
    let mut claimed = Vec::new();
    for post in due(connection, limit, now)? {
        if post.attempts >= MAX_PUBLISH_ATTEMPTS {
            let failure = Failure {
                code: "publish_failed".to_owned(),
                message: "Publishing was interrupted too often.".to_owned(),
                retryable: true,
            };
            fail(connection, &post.id, &failure, now)?;
        } else {
            claimed.push(take(connection, post, now, lease_until)?);
        }
    }
    Ok(claimed)
}

fn due(connection: &Connection, limit: u32, now: Timestamp) -> Result<Vec<ScheduledPost>> {
    let mut statement = connection.prepare_cached(
        "SELECT scheduled_posts.* FROM scheduled_posts JOIN websites ON websites.id = scheduled_posts.website_id
         WHERE run_at <= ?1 AND websites.status = 'active' ORDER BY run_at, scheduled_posts.id LIMIT ?2",
    )?;
    let mut rows = statement.query((now.millis(), limit))?;
    let mut due = Vec::new();
    while let Some(row) = rows.next()? {
        due.push(post(row)?);
    }
    Ok(due)
}

fn take(
    connection: &Connection,
    mut post: ScheduledPost,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<ClaimedPost> {
    let article_id = post.article_id.as_deref().ok_or(Error::MissingReference)?;
    let article = articles::load(connection, article_id)?.ok_or(Error::MissingReference)?;
    let website = accounts::find_website(connection, &post.website_id)?.ok_or(Error::MissingReference)?;
    let lease_token = lease_token();
    post.status = PostStatus::Publishing;
    post.attempts += 1;
    post.updated_at = now;
    connection
        .prepare_cached(
            "UPDATE scheduled_posts SET status = 'publishing', attempts = ?2, run_at = ?3, lease_token = ?4, updated_at = ?5
             WHERE id = ?1",
        )?
        .execute((&post.id, post.attempts, lease_until.millis(), &lease_token, now.millis()))?;
    Ok(ClaimedPost { post, lease_token, article, website })
}

pub(super) fn record(
    connection: &Connection,
    post_id: &str,
    lease_token: &str,
    outcome: &PublishOutcome,
    now: Timestamp,
) -> Result<Fenced> {
    let is_ours = connection
        .prepare_cached("SELECT 1 FROM scheduled_posts WHERE id = ?1 AND lease_token = ?2 AND status = 'publishing'")?
        .exists([post_id, lease_token])?;
    if !is_ours {
        return Ok(Fenced::Lost);
    }
    match outcome {
        PublishOutcome::Published { article, event } => {
            articles::update(connection, article)?;
            connection
                .prepare_cached(
                    "UPDATE scheduled_posts SET status = 'published', published_at = ?2, updated_at = ?3, run_at = NULL,
                        lease_token = NULL
                     WHERE id = ?1",
                )?
                .execute((post_id, article.published_at.unwrap_or(now).millis(), now.millis()))?;
            events::insert(connection, event)?;
        }
        PublishOutcome::RetryAt(retry_at) => {
            connection
                .prepare_cached(
                    "UPDATE scheduled_posts SET status = 'scheduled', run_at = ?2, lease_token = NULL, updated_at = ?3
                     WHERE id = ?1",
                )?
                .execute((post_id, retry_at.millis(), now.millis()))?;
        }
        PublishOutcome::Failed(failure) => fail(connection, post_id, failure, now)?,
    }
    Ok(Fenced::Recorded)
}

fn fail(connection: &Connection, post_id: &str, failure: &Failure, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE scheduled_posts SET status = 'failed', error = ?2, run_at = NULL, lease_token = NULL, updated_at = ?3
             WHERE id = ?1",
        )?
        .execute((post_id, to_json(failure), now.millis()))?;
    Ok(())
}
