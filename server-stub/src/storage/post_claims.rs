//! Claims due posts and records the result of publishing them.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::domain::account::Website;
use crate::domain::article::Article;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::error_chain::ErrorChain;
use crate::domain::event::{Event, EventType};
use crate::domain::failure::Failure;
use crate::domain::id;
use crate::domain::job::MAX_INTERRUPTIONS;
use crate::domain::late_post::late_cutoff;
use crate::domain::post::{PostStatus, PublishAttempts, ScheduledPost};
use crate::domain::publishing_target::Pushes;
use crate::domain::store::{ClaimedPost, Error, LeaseOutcome, PublishOutcome, PushesInFlight, Queue, Result};
use crate::failpoints;
use crate::wakeups::Announcement;

use super::lease_token::lease_token;
use super::posts::{has_missed_its_time, is_due, post, post_columns, website_publishes};
use super::set_aside::{Unreadable, past_unreadable, read_row, readable_rows, set_aside};
use super::sql::{ExclusiveSession, Session, Statement, locking, to_json, values};
use super::store::Store;
use super::targets::{self, SealedTarget};
use super::{article_edits, articles, events, posts};

/// Number of due posts among which a claim takes turns of the accounts.
const FAIR_WINDOW: u32 = 1000;
/// Named lock of claims. Only one process claims at a time: concurrent claims would choose the same posts.
pub(super) const CLAIM_LOCK: &str = "posts";

impl Store {
    /// Claims up to `limit` posts that are due or whose lease lapsed. No post is due before its `publish_at` by the wall
    /// clock. [`Pushes`] limits the posts that are published by push, including those in flight. Late posts are published one
    /// at a time, as [`late_post`](crate::domain::late_post) decides. Among the oldest `FAIR_WINDOW` due posts the
    /// accounts take turns, also over several claims of this process, so that the posts of one do not delay others.
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
        let last_served = self.last_published.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Claim { claimed, failed, unreadable } = self
            .write_exclusive(move |session| claim(session, (limit, &last_served), pushes.clone(), (now, lease_until)))
            .await?;
        if failed > 0 {
            self.posts_failed.fetch_add(failed, Ordering::Relaxed);
            self.announce(Announcement::DeliveryDue);
        }
        // Prefer the last push: few pushes may run at once, so the next free place goes to another account.
        if let Some(served) = claimed.iter().max_by_key(|one| one.target.is_push()) {
            self.last_published.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&served.post.account_id);
        }
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
        let (has_event, has_failed) =
            (!matches!(outcome, PublishOutcome::RetryAt(_)), matches!(outcome, PublishOutcome::Failed(_)));
        let outcome = self
            .write_exclusive(move |session| {
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
                    PublishOutcome::Published { article, is_hosted, event } => {
                        articles::update(session, article, Some(*is_hosted))?;
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
                    PublishOutcome::Failed(failure) => fail(session, &post_id, failure, now)?,
                }
                Ok(LeaseOutcome::Recorded)
            })
            .await?;
        // Also if the lease is lost: an earlier call may have committed without a response.
        if has_event {
            self.announce(Announcement::DeliveryDue);
        }
        if has_failed && outcome == LeaseOutcome::Recorded {
            self.posts_failed.fetch_add(1, Ordering::Relaxed);
        }
        Ok(outcome)
    }

    /// Returns the number of posts whose publishing this process has recorded as failed.
    pub fn posts_failed(&self) -> u64 {
        self.posts_failed.load(Ordering::Relaxed)
    }
}

/// Result of a claim.
struct Claim {
    claimed: Vec<ClaimedPost<SealedTarget>>,
    /// Number of posts that failed instead.
    failed: u64,
    unreadable: Vec<Unreadable>,
}

/// Claims due posts. Skips posts of inactive websites, late posts that `late_posts` has not planned yet, and posts of
/// websites with the maximum number of pushes in flight.
fn claim(
    session: &mut dyn ExclusiveSession,
    (limit, last_served): (u32, &str),
    mut pushes: Pushes,
    (now, lease_until): (Moment, Timestamp),
) -> Result<Claim> {
    session.lock(CLAIM_LOCK)?;
    let busy: String = pushes.busy_websites().collect();
    let (due, mut unreadable) =
        past_unreadable(limit, |limit| due(session, (limit, last_served), (&busy, pushes.are_at_limit()), now))?;
    let (mut claimed, mut failed) = (Vec::new(), 0);
    for DuePost { post, attempts, was_interrupted } in due {
        let attempts = match attempts.next(was_interrupted, failpoints::interruptions(MAX_INTERRUPTIONS)) {
            Ok(attempts) => attempts,
            Err(failure) => {
                fail(session, &post.id, &failure, now)?;
                failed += 1;
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
    Ok(Claim { claimed, failed, unreadable })
}

/// A due post.
struct DuePost {
    post: ScheduledPost,
    attempts: PublishAttempts,
    /// True if a lease of it lapsed: the process died, but publishing did not fail.
    was_interrupted: bool,
}

/// Returns the due posts: first one of each account, then a second one, and so on. Begins behind the account
/// `last_served`. Also returns those that cannot be read. Skips posts of the websites in `busy`, and all pushed posts if
/// `is_full`.
fn due(
    session: &mut dyn Session,
    (limit, last_served): (u32, &str),
    (busy, is_full): (&str, bool),
    now: Moment,
) -> Result<(Vec<DuePost>, Vec<Unreadable>)> {
    let (late, later) = (late_cutoff(now), now.steady.max(now.wall));
    readable_rows(
        session,
        DUE_POSTS,
        values![now.steady, later, now.wall, limit, late.wall, late.steady, busy, is_full, FAIR_WINDOW, last_served],
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
        SELECT id AS due_id, run_at AS due_at, account_id <= $10 AS was_served,
            row_number() OVER (PARTITION BY account_id ORDER BY run_at, id) AS turn
        FROM (
            SELECT id, account_id, run_at FROM scheduled_posts
            WHERE ", is_due!(), " AND (publish_at IS NULL OR NOT (", has_missed_its_time!("$5", "$6"), "))
                AND ", website_publishes!(), " AND replace($7, website_id, '') = $7
                AND ($8 = 0 OR NOT EXISTS (SELECT 1 FROM publishing_targets
                    WHERE publishing_targets.website_id = scheduled_posts.website_id AND kind = 'push'))
            ORDER BY run_at, id LIMIT $9) AS oldest
        ORDER BY turn, was_served, account_id LIMIT $4) AS chosen
     CROSS JOIN scheduled_posts
     WHERE id = due_id AND run_at = due_at ORDER BY turn, was_served, account_id";
    "FOR UPDATE OF scheduled_posts SKIP LOCKED"
);

/// Returns the article of a post, its website and its target.
fn publication(session: &mut dyn Session, post: &ScheduledPost) -> Result<(Article, Website, SealedTarget)> {
    article_edits::publication(session, post.article_id.as_deref().ok_or(Error::MissingReference)?)
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

/// Fails a post, and stores the event if an endpoint is subscribed to it.
fn fail(session: &mut dyn Session, post_id: &str, failure: &Failure, now: Moment) -> Result<()> {
    session.execute(
        "UPDATE scheduled_posts SET status = 'failed', error = $2, run_at = NULL, lease_token = NULL, updated_at = $3
         WHERE id = $1",
        values![post_id, &to_json(failure), now.wall],
    )?;
    // An earlier attempt may have published it without recording that.
    targets::remove_files_of_post(session, post_id)?;
    // The website may have been deleted in the meantime.
    let Some(post) = posts::find(session, post_id)? else { return Ok(()) };
    let event_id = id::new(id::Kind::Event, now.wall, session.randomness());
    let event_type = EventType::ScheduledPostFailed;
    events::insert_if_subscribed(session, event_type, &post.account_id, &post.website_id, now.steady, || {
        Event::scheduled_post_failed(event_id, &post, now.wall)
    })
}
