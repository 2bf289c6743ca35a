//! Scheduled posts as rows. `post_changes` applies the changes of users, `post_claims` claims due posts, and `lists` lists posts.

use crate::domain::clock::Timestamp;
use crate::domain::post::{PostStatus, ScheduledPost};
use crate::domain::publish::DueAt;
use crate::domain::store::Result;

use super::deletion::website_exists;
use super::sql::{Columns, Session, locking, to_json, values};
use super::store::Store;

/// The columns of a post in the order in which [`post`] reads them.
macro_rules! post_columns {
    () => {
        "id, account_id, website_id, job_id, article_id, topic, status, publish_at, published_at, auto_publish,
            attempts, error, created_at, updated_at"
    };
}
pub(super) use post_columns;

/// True for a post that is due: `run_at` has passed by its clock, and `publish_at` by the wall clock. The arguments are the
/// steady time, the later time of both clocks, and the wall-clock time.
macro_rules! is_due {
    () => {
        "run_at <= $2 AND (run_at <= $1 OR is_wall_time = 1) AND (publish_at IS NULL OR publish_at <= $3)"
    };
}
pub(super) use is_due;

/// True for a post whose website publishes. PostgreSQL could turn `EXISTS` into a join that begins with the websites, and
/// then read all due posts.
macro_rules! website_publishes {
    () => {
        "(SELECT websites.status FROM websites WHERE websites.id = scheduled_posts.website_id) = 'active'"
    };
}
pub(super) use website_publishes;

/// True if a post missed its time: no process tried it at its `publish_at`, nor at the later time that `late_posts` planned.
/// The first argument is the latest time by the wall clock, the second one by the steady time.
macro_rules! has_missed_its_time {
    ($wall:literal, $steady:literal) => {
        concat!(
            "status = 'scheduled' AND publish_at <= ",
            $wall,
            " AND (is_wall_time = 1 OR (attempts = 0 AND run_at <= ",
            $steady,
            "))"
        )
    };
}
pub(super) use has_missed_its_time;

/// Returns the columns `run_at` and `is_wall_time`.
pub(super) fn due_columns(due_at: Option<DueAt>) -> (Option<Timestamp>, bool) {
    (due_at.map(DueAt::time), due_at.is_some_and(DueAt::is_wall_time))
}

impl Store {
    /// Returns the post of any account.
    pub async fn find_post(&self, post_id: &str) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        self.read_few(move |session| find(session, &post_id)).await
    }
}

/// Reads the columns of `post_columns`.
pub(super) fn post(row: &mut Columns<'_>) -> Result<ScheduledPost> {
    Ok(ScheduledPost {
        id: row.text()?,
        account_id: row.text()?,
        website_id: row.text()?,
        job_id: row.maybe_text()?,
        article_id: row.maybe_text()?,
        topic: row.text()?,
        status: row.named(PostStatus::parse)?,
        publish_at: row.maybe_time()?,
        published_at: row.maybe_time()?,
        auto_publish: row.flag()?,
        attempts: row.number()?,
        error: row.maybe_json()?,
        created_at: row.time()?,
        updated_at: row.time()?,
    })
}

pub(super) fn find(session: &mut dyn Session, post_id: &str) -> Result<Option<ScheduledPost>> {
    session.first(
        concat!("SELECT ", post_columns!(), " FROM scheduled_posts WHERE id = $1 AND ", website_exists!()),
        values![post_id],
        post,
    )
}

/// Returns the post, locked until the commit.
pub(super) fn lock(session: &mut dyn Session, post_id: &str) -> Result<Option<ScheduledPost>> {
    session.first(
        locking!("SELECT ", post_columns!(), " FROM scheduled_posts WHERE id = $1"; "FOR UPDATE"),
        values![post_id],
        post,
    )
}

/// Returns the post of an article, locked until the commit.
pub(super) fn lock_post_of_article(session: &mut dyn Session, article_id: &str) -> Result<Option<ScheduledPost>> {
    session.first(
        locking!(
            "SELECT ", post_columns!(), " FROM scheduled_posts
             WHERE job_id = (SELECT job_id FROM articles WHERE articles.id = $1)";
            "FOR UPDATE"
        ),
        values![article_id],
        post,
    )
}

/// Stores a user's change of a post. No process holds a lease of it.
pub(super) fn update(session: &mut dyn Session, post: &ScheduledPost, due_at: Option<DueAt>) -> Result<()> {
    let (run_at, is_wall_time) = due_columns(due_at);
    session.execute(
        "UPDATE scheduled_posts SET status = $2, job_id = $3, publish_at = $4, attempts = $5, error = $6, updated_at = $7,
            run_at = $8, is_wall_time = $9, interruptions = 0, lease_token = NULL
         WHERE id = $1",
        values![
            &post.id,
            post.status.as_str(),
            &post.job_id,
            post.publish_at,
            post.attempts,
            post.error.as_ref().map(to_json).as_ref(),
            post.updated_at,
            run_at,
            is_wall_time,
        ],
    )?;
    Ok(())
}
