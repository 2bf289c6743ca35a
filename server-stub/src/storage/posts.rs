//! Scheduled posts until publication. `lists` lists them.

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::failure::Failure;
use crate::domain::job::MAX_INTERRUPTIONS;
use crate::domain::late_post::late_cutoff;
use crate::domain::post::{PostChange, PostStatus, PublishAttempts, ScheduledPost};
use crate::domain::publish::DueAt;
use crate::domain::publishing_target::Pushes;
use crate::domain::store::{ClaimedPost, Error, LeaseOutcome, PublishOutcome, PushesInFlight, Queue, Result};
use crate::failpoints;
use crate::wakeups::Announcement;

use super::late_posts::has_missed_its_time;
use super::lease_token::lease_token;
use super::set_aside::{Unreadable, past_unreadable, read_row, readable_rows, set_aside};
use super::sql::{Columns, ExclusiveSession, Session, Statement, locking, to_json, values};
use super::store::Store;
use super::targets::{self, SealedTarget};
use super::{articles, events, websites};

/// Number of due posts among which a claim takes turns of the accounts.
const FAIR_WINDOW: u32 = 1000;

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

    /// Changes a post and its article, and returns the post; `None` if its state does not allow the change.
    pub async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.change_alone(move |session| change_with_article(session, &post_id, change, now)).await?;
        if changed.is_some() {
            self.announce(Announcement::PostDue);
        }
        Ok(changed)
    }

    /// Claims up to `limit` posts that are due or whose lease lapsed. No post is due before its `publish_at` by the wall
    /// clock. [`Pushes`] limits the posts that are published by push, including those in flight. Late posts are published one
    /// at a time, as [`late_post`](crate::domain::late_post) decides. The accounts take turns, so that the posts of one do not
    /// delay those of another.
    pub async fn claim_posts(
        &self,
        limit: u32,
        in_flight: &PushesInFlight,
        now: Moment,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedPost>> {
        match self.plan_late_posts(now).await {
            Ok(()) => {}
            Err(error @ Error::Unavailable(_)) => return Err(error),
            // Late posts wait after an error; other posts must not.
            Err(error) => {
                tracing::error!(error = %ErrorChain(&error), "cannot reschedule posts that missed their time");
            }
        }
        let pushes = Pushes::in_flight(in_flight);
        let (claimed, unreadable) =
            self.write_alone(move |session| claim(session, limit, pushes.clone(), (now, lease_until))).await?;
        self.unreadable_rows.add(Queue::Posts, &unreadable);
        let open = |website_id: &str, target| self.open_target(website_id, target);
        Ok(claimed.into_iter().map(|post| post.map_target(open)).collect())
    }

    /// Records the result of publishing.
    pub async fn record_publish(
        &self,
        post_id: &str,
        lease_token: &str,
        outcome: PublishOutcome,
        now: Moment,
    ) -> Result<LeaseOutcome> {
        let (post_id, lease_token) = (post_id.to_owned(), lease_token.to_owned());
        let is_published = matches!(outcome, PublishOutcome::Published { .. });
        let outcome = self
            .write_alone(move |session| {
                let is_held = session.exists(
                    locking!(
                        "SELECT 1 FROM scheduled_posts WHERE id = $1 AND lease_token = $2
                            AND status = 'publishing'";
                        "FOR UPDATE"
                    ),
                    values![&post_id, &lease_token],
                )?;
                if !is_held {
                    return Ok(LeaseOutcome::Lost);
                }
                match &outcome {
                    PublishOutcome::Published { article, event } => {
                        articles::update(session, article)?;
                        session.execute(
                            "UPDATE scheduled_posts SET status = 'published', published_at = $2,
                                updated_at = $3, run_at = NULL,
                                lease_token = NULL
                             WHERE id = $1",
                            values![&post_id, article.published_at.unwrap_or(now.wall), now.wall],
                        )?;
                        events::insert(session, event, now.steady)?;
                    }
                    PublishOutcome::RetryAt(retry_at) => {
                        session.execute(
                            "UPDATE scheduled_posts SET status = 'scheduled', run_at = $2,
                                lease_token = NULL, updated_at = $3
                             WHERE id = $1",
                            values![&post_id, *retry_at, now.wall],
                        )?;
                    }
                    PublishOutcome::Failed(failure) => fail(session, &post_id, failure, now.wall)?,
                }
                Ok(LeaseOutcome::Recorded)
            })
            .await?;
        if outcome == LeaseOutcome::Recorded && is_published {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(outcome)
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
    session.first(concat!("SELECT ", post_columns!(), " FROM scheduled_posts WHERE id = $1"), values![post_id], post)
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

/// Changes a post and its article, if their states allow it. Cancelling a post does not change an article that was taken down.
pub(super) fn change_with_article(
    session: &mut dyn Session,
    post_id: &str,
    change: PostChange,
    now: Moment,
) -> Result<Option<ScheduledPost>> {
    let Some(changed) = lock(session, post_id)?.and_then(|post| post.changed(change, now.wall)) else {
        return Ok(None);
    };
    let article = match &changed.article_id {
        Some(article_id) => Some(articles::load(session, article_id)?.ok_or(Error::MissingReference)?),
        None => None,
    };
    let article = article.and_then(|article| article.planned(changed.status.article_status(), now.wall));
    if article.is_none() && changed.status != PostStatus::Cancelled {
        return Ok(None);
    }
    let is_scheduled = changed.status == PostStatus::Scheduled;
    update(session, &changed, is_scheduled.then(|| DueAt::approved(changed.publish_at, now)))?;
    if let Some(article) = article {
        articles::update(session, &article)?;
        // An earlier attempt may have published it without recording that.
        targets::remove_files(session, &article.id)?;
    }
    Ok(Some(changed))
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

/// Claims due posts. Skips posts of inactive websites, late posts that `late_posts` has not planned yet, and posts of
/// websites with the maximum number of pushes in flight.
fn claim(
    session: &mut dyn ExclusiveSession,
    limit: u32,
    mut pushes: Pushes,
    (now, lease_until): (Moment, Timestamp),
) -> Result<(Vec<ClaimedPost<SealedTarget>>, Vec<Unreadable>)> {
    // Only one process claims at a time: concurrent claims would choose the same posts.
    session.lock("posts")?;
    let busy: String = pushes.busy_websites().collect();
    let (due, mut unreadable) =
        past_unreadable(limit, |limit| due(session, limit, (&busy, pushes.are_at_limit()), now))?;
    let mut claimed = Vec::new();
    for DuePost { post, attempts, was_interrupted } in due {
        let attempts = match attempts.next(was_interrupted, failpoints::interruptions(MAX_INTERRUPTIONS)) {
            Ok(attempts) => attempts,
            Err(failure) => {
                fail(session, &post.id, &failure, now.wall)?;
                continue;
            }
        };
        let publication = publication(session, &post);
        match read_row(&post.id, publication)? {
            Ok(publication) => {
                if !publication.2.is_push() || pushes.add(&post.website_id) {
                    claimed.push(take(session, post, publication, attempts, (now.wall, lease_until))?);
                }
            }
            Err(row) => unreadable.push(row),
        }
    }
    set_aside(session, Queue::Posts, &unreadable, now.steady)?;
    Ok((claimed, unreadable))
}

/// A due post.
struct DuePost {
    post: ScheduledPost,
    attempts: PublishAttempts,
    /// True if a lease of it lapsed: the process died, but publishing did not fail.
    was_interrupted: bool,
}

/// Returns the due posts: first one of each account, then a second one, and so on. Also returns those that cannot be read.
/// Skips posts of the websites in `busy`, and all pushed posts if `is_full`.
fn due(
    session: &mut dyn Session,
    limit: u32,
    (busy, is_full): (&str, bool),
    now: Moment,
) -> Result<(Vec<DuePost>, Vec<Unreadable>)> {
    let (late, later) = (late_cutoff(now), now.steady.max(now.wall));
    readable_rows(
        session,
        DUE_POSTS,
        values![now.steady, later, now.wall, limit, late.wall, late.steady, busy, is_full, FAIR_WINDOW],
        |row| {
            let post = post(row)?;
            let attempts = PublishAttempts { counted: post.attempts, interrupted: row.number()? };
            Ok(DuePost { post, attempts, was_interrupted: row.flag()? })
        },
    )
}

/// PostgreSQL cannot lock rows in a query that numbers them. `run_at` is compared again, because a user may change the post
/// before it is locked.
const DUE_POSTS: Statement<'_> = locking!(
    "SELECT id, ", post_columns!(), ", interruptions, CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END
     FROM (
        SELECT id AS due_id, run_at AS due_at, row_number() OVER (PARTITION BY account_id ORDER BY run_at, id) AS turn
        FROM (
            SELECT id, account_id, run_at FROM scheduled_posts
            WHERE ", is_due!(), " AND (publish_at IS NULL OR NOT (", has_missed_its_time!("$5", "$6"), "))
                AND ", website_publishes!(), " AND replace($7, website_id, '') = $7
                AND ($8 = 0 OR NOT EXISTS (SELECT 1 FROM publishing_targets
                    WHERE publishing_targets.website_id = scheduled_posts.website_id AND kind = 'push'))
            ORDER BY run_at, id LIMIT $9) AS oldest
        ORDER BY turn, due_at, due_id LIMIT $4) AS chosen
     CROSS JOIN scheduled_posts
     WHERE id = due_id AND run_at = due_at ORDER BY turn, run_at, id";
    "FOR UPDATE OF scheduled_posts SKIP LOCKED"
);

/// Returns the article of a post, its website and its target.
fn publication(session: &mut dyn Session, post: &ScheduledPost) -> Result<(Article, Website, SealedTarget)> {
    let article_id = post.article_id.as_deref().ok_or(Error::MissingReference)?;
    let article = articles::load(session, article_id)?.ok_or(Error::MissingReference)?;
    let website = websites::find_website(session, &post.website_id)?.ok_or(Error::MissingReference)?;
    let target = targets::find(session, &post.website_id)?;
    Ok((article, website, target))
}

fn take(
    session: &mut dyn Session,
    mut post: ScheduledPost,
    (article, website, target): (Article, Website, SealedTarget),
    attempts: PublishAttempts,
    (now, lease_until): (Timestamp, Timestamp),
) -> Result<ClaimedPost<SealedTarget>> {
    targets::note_publication(session, &article.id, &target)?;
    let lease_token = lease_token(session.randomness());
    post.status = PostStatus::Publishing;
    post.attempts = attempts.counted;
    post.updated_at = now;
    session.execute(
        "UPDATE scheduled_posts SET status = 'publishing', attempts = $2, run_at = $3, is_wall_time = 0, lease_token = $4,
            updated_at = $5, interruptions = $6
         WHERE id = $1",
        values![&post.id, attempts.counted, lease_until, &lease_token, now, attempts.interrupted],
    )?;
    Ok(ClaimedPost { post, lease_token, article, website, target })
}

fn fail(session: &mut dyn Session, post_id: &str, failure: &Failure, now: Timestamp) -> Result<()> {
    session.execute(
        "UPDATE scheduled_posts SET status = 'failed', error = $2, run_at = NULL, lease_token = NULL, updated_at = $3
         WHERE id = $1",
        values![post_id, &to_json(failure), now],
    )?;
    // An earlier attempt may have published it without recording that.
    targets::remove_files_of_post(session, post_id)
}
