//! Scheduled posts until publication. `lists` lists them.

use std::collections::HashMap;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::job::{Failure, MAX_INTERRUPTIONS};
use crate::domain::post::{MAX_PUBLISH_ATTEMPTS, PostChange, PostStatus, ScheduledPost};
use crate::domain::publishing_target::{MAX_PUSHES_AT_ONCE, MAX_PUSHES_IN_ALL};
use crate::domain::store::{ClaimedPost, Error, LeaseOutcome, PublishOutcome, PushesInFlight, Queue, Result};
use crate::failpoints;
use crate::wakeups::Announcement;

use super::lease_token::lease_token;
use super::set_aside::{Unreadable, past_unreadable, read_row, readable_rows, set_aside};
use super::sql::{Columns, Session, locking, to_json, values};
use super::store::Store;
use super::targets::{self, SealedTarget};
use super::{articles, events, late_posts, websites};

/// The columns of a post in the order in which [`post`] reads them.
macro_rules! post_columns {
    () => {
        "id, account_id, website_id, job_id, article_id, topic, status, publish_at, published_at, auto_publish,
            attempts, error, created_at, updated_at"
    };
}
pub(super) use post_columns;

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
    /// clock. A website that publishes by push has at most [`MAX_PUSHES_AT_ONCE`] pushes in flight, including `in_flight`.
    /// Late posts are published one at a time, as [`late_post`](crate::domain::late_post) decides.
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
        let in_flight = in_flight.to_vec();
        let (claimed, unreadable) =
            self.write_alone(move |session| claim(session, limit, &in_flight, (now, lease_until))).await?;
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
            .write(move |session| {
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
    // A `run_at` equal to `publish_at` marks a post that waits only for the wall clock.
    let planned = changed.publish_at.filter(|publish_at| *publish_at > now.wall).unwrap_or(now.steady);
    update(session, &changed, (changed.status == PostStatus::Scheduled).then_some(planned))?;
    if let Some(article) = article {
        articles::update(session, &article)?;
        // An earlier attempt may have published it without recording that.
        targets::remove_files(session, &article.id)?;
    }
    Ok(Some(changed))
}

/// Stores a user's change of a post. No process holds a lease of it.
pub(super) fn update(session: &mut dyn Session, post: &ScheduledPost, run_at: Option<Timestamp>) -> Result<()> {
    session.execute(
        "UPDATE scheduled_posts SET status = $2, job_id = $3, publish_at = $4, attempts = $5, error = $6, updated_at = $7,
            run_at = $8, interruptions = 0, lease_token = NULL
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
        ],
    )?;
    Ok(())
}

/// Claims due posts: `publish_at` has passed by the wall clock, and `run_at` in steady time. A `run_at` equal to `publish_at`
/// marks a post that waits only for the wall clock. Skips posts of inactive websites, late posts that `late_posts` has not
/// planned yet, and posts of websites with the maximum number of pushes in flight.
fn claim(
    session: &mut dyn Session,
    limit: u32,
    in_flight: &PushesInFlight,
    (now, lease_until): (Moment, Timestamp),
) -> Result<(Vec<ClaimedPost<SealedTarget>>, Vec<Unreadable>)> {
    let mut pushes: HashMap<String, usize> = in_flight.iter().cloned().collect();
    let mut in_all: usize = pushes.values().sum();
    let busy: String =
        in_flight.iter().filter(|(_, pushes)| *pushes >= MAX_PUSHES_AT_ONCE).map(|(id, _)| id.as_str()).collect();
    let (due, mut unreadable) =
        past_unreadable(limit, |limit| due(session, limit, (&busy, in_all >= MAX_PUSHES_IN_ALL), now))?;
    let mut claimed = Vec::new();
    for DuePost { mut post, mut interruptions, has_lapsed } in due {
        // A lapsed lease means that the process died, not that publishing failed.
        if has_lapsed {
            interruptions += 1;
        } else {
            post.attempts += 1;
        }
        if interruptions > failpoints::interruptions(MAX_INTERRUPTIONS) || post.attempts > MAX_PUBLISH_ATTEMPTS {
            let failure = Failure {
                code: "publish_failed".to_owned(),
                message: "Publishing was interrupted too often.".to_owned(),
                retryable: true,
            };
            fail(session, &post.id, &failure, now.wall)?;
            continue;
        }
        let publication = publication(session, &post);
        match read_row(&post.id, publication)? {
            Ok(publication) => {
                if publication.2.is_push() {
                    let pushes = pushes.entry(post.website_id.clone()).or_default();
                    if *pushes >= MAX_PUSHES_AT_ONCE || in_all >= MAX_PUSHES_IN_ALL {
                        continue;
                    }
                    *pushes += 1;
                    in_all += 1;
                }
                claimed.push(take(session, post, publication, interruptions, (now.wall, lease_until))?);
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
    /// Number of interrupted attempts to publish it.
    interruptions: u32,
    /// True if a lease of it lapsed.
    has_lapsed: bool,
}

/// Returns the due posts, and those that cannot be read. Skips posts of the websites in `busy`, and all pushed posts if
/// `is_full`.
fn due(
    session: &mut dyn Session,
    limit: u32,
    (busy, is_full): (&str, bool),
    now: Moment,
) -> Result<(Vec<DuePost>, Vec<Unreadable>)> {
    let late = late_posts::cutoff(now);
    readable_rows(
        session,
        locking!(
            "SELECT id, ", post_columns!(), ", interruptions, CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END FROM scheduled_posts
             WHERE run_at <= $2 AND (run_at <= $1 OR run_at = publish_at) AND (publish_at IS NULL OR publish_at <= $3)
                AND EXISTS (SELECT 1 FROM websites WHERE websites.id = website_id AND websites.status = 'active')
                AND (publish_at IS NULL OR publish_at > $5 OR status <> 'scheduled'
                    OR (run_at <> publish_at AND (attempts > 0 OR run_at > $6)))
                AND replace($7, website_id, '') = $7
                AND ($8 = 0 OR NOT EXISTS (SELECT 1 FROM publishing_targets
                    WHERE publishing_targets.website_id = scheduled_posts.website_id AND kind = 'push'))
             ORDER BY run_at, id LIMIT $4";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![now.steady, now.steady.max(now.wall), now.wall, limit, late.wall, late.steady, busy, is_full],
        |row| Ok(DuePost { post: post(row)?, interruptions: row.number()?, has_lapsed: row.flag()? }),
    )
}

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
    interruptions: u32,
    (now, lease_until): (Timestamp, Timestamp),
) -> Result<ClaimedPost<SealedTarget>> {
    targets::note_publication(session, &article.id, &target)?;
    let lease_token = lease_token(session.randomness());
    post.status = PostStatus::Publishing;
    post.updated_at = now;
    session.execute(
        "UPDATE scheduled_posts SET status = 'publishing', attempts = $2, run_at = $3, lease_token = $4, updated_at = $5,
            interruptions = $6
         WHERE id = $1",
        values![&post.id, post.attempts, lease_until, &lease_token, now, interruptions],
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
