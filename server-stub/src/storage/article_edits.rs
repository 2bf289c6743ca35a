//! Edits of articles by users. A changed article that is published as a file or in a customer's system waits in `article_updates` until
//! the target of its website has it.

use crate::domain::account::Website;
use crate::domain::article::{Article, ArticleStatus, EditRefusal};
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::event::{Event, EventType};
use crate::domain::id;
use crate::domain::post::{MAX_PUBLISH_ATTEMPTS, PostStatus};
use crate::domain::store::{ClaimedUpdate, Error, LeaseOutcome, Result, UpdateOutcome, UpdateState};
use crate::domain::written_article::WrittenArticle;
use crate::wakeups::Announcement;

use super::lease_token::lease_token;
use super::post_claims::CLAIM_LOCK;
use super::set_aside::read_row;
use super::sql::{ExclusiveSession, Session, locking, read, values};
use super::store::Store;
use super::targets::{self, SealedTarget};
use super::{articles, events, posts, websites};

/// Error of an update whose attempts were all interrupted.
const INTERRUPTED: &str = "Sending was interrupted too often.";

impl Store {
    /// Stores the content of a user's edit as the next version of the article, and returns the version. `opened` is the version
    /// that the user edited. If the article is published, also stores the event `article.updated`, and makes the update of a
    /// file or of a customer's system due.
    pub async fn edit_article(
        &self,
        account_id: &str,
        article_id: &str,
        (opened, content): (u32, WrittenArticle),
        now: Moment,
    ) -> Result<Result<u32, EditRefusal>> {
        let (account_id, article_id) = (account_id.to_owned(), article_id.to_owned());
        let edited = self
            .change_exclusive(move |session| {
                // Every transaction that changes both locks the post before the article.
                let post = posts::lock_post_of_article(session, &article_id)?;
                let article = articles::lock(session, &article_id)?.ok_or(Error::MissingReference)?;
                // The scheduler has read the article and stores it again.
                if post.as_ref().is_some_and(|post| post.status == PostStatus::Publishing) {
                    return Ok(Err(EditRefusal::BeingPublished));
                }
                let article = match article.edited(content.clone(), opened, now.wall) {
                    Ok(article) => article,
                    Err(refusal) => return Ok(Err(refusal)),
                };
                articles::update(session, &article, None)?;
                if article.status == ArticleStatus::Published {
                    let event_id = id::new(id::Kind::Event, now.wall, session.randomness());
                    let post_id = post.as_ref().map(|post| post.id.as_str());
                    let event = || Event::article_updated(event_id, &account_id, &article, post_id, now.wall);
                    let (kind, website_id) = (EventType::ArticleUpdated, &article.website_id);
                    events::insert_if_subscribed(session, kind, &account_id, website_id, now.steady, event)?;
                    if !is_hosted(session, &article_id)? {
                        queue(session, &article_id, article.version, now.steady)?;
                    }
                }
                Ok(Ok(article.version))
            })
            .await?;
        if edited.is_ok() {
            self.announce(Announcement::DeliveryDue);
        }
        Ok(edited)
    }

    /// Returns the state of the update of a published article; `None` if its target has the present version.
    pub async fn find_update(&self, article_id: &str) -> Result<Option<UpdateState>> {
        let article_id = article_id.to_owned();
        self.read_few(move |session| {
            session.first("SELECT error FROM article_updates WHERE article_id = $1", values![&article_id], |row| {
                Ok(row.maybe_text()?.map_or(UpdateState::Pending, UpdateState::Failed))
            })
        })
        .await
    }

    /// Makes a failed update due again, with all attempts. Returns false if it has not failed.
    pub async fn retry_update(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.change(move |session| {
            let changed = session.execute(
                "UPDATE article_updates SET run_at = $2, attempts = 0, error = NULL
                 WHERE article_id = $1 AND error IS NOT NULL",
                values![&article_id, now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Claims up to `limit` updates that are due or whose lease lapsed, the longest due first.
    pub async fn claim_updates(
        &self,
        limit: u32,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Vec<ClaimedUpdate>> {
        let claimed = self.write_exclusive(move |session| claim(session, limit, now, lease_until)).await?;
        let opened = claimed.into_iter().map(|update| {
            let target = self.open_target(&update.website.website_id, update.target);
            let ClaimedUpdate { lease_token, attempts, article, website, .. } = update;
            ClaimedUpdate { lease_token, attempts, article, website, target }
        });
        Ok(opened.collect())
    }

    /// Records the result of sending the `version` of an article. If the article was edited meanwhile, the newer version is due at
    /// once.
    pub async fn record_update(
        &self,
        article_id: &str,
        (lease_token, version): (&str, u32),
        outcome: UpdateOutcome,
        now: Timestamp,
    ) -> Result<LeaseOutcome> {
        let (article_id, lease_token) = (article_id.to_owned(), lease_token.to_owned());
        self.write(move |session| {
            let newest: Option<i64> = session.first(
                locking!(
                    "SELECT version FROM article_updates WHERE article_id = $1 AND lease_token = $2";
                    "FOR UPDATE"
                ),
                values![&article_id, &lease_token],
                read::number,
            )?;
            let Some(newest) = newest else { return Ok(LeaseOutcome::Lost) };
            let (run_at, error) = match &outcome {
                _ if newest > i64::from(version) => (Some(now), None),
                UpdateOutcome::Sent => {
                    session.execute("DELETE FROM article_updates WHERE article_id = $1", values![&article_id])?;
                    return Ok(LeaseOutcome::Recorded);
                }
                UpdateOutcome::RetryAt(retry_at) => (Some(*retry_at), None),
                UpdateOutcome::Failed(reason) => (None, Some(reason.as_str())),
            };
            session.execute(
                "UPDATE article_updates SET run_at = $2, error = $3, lease_token = NULL WHERE article_id = $1",
                values![&article_id, run_at, error],
            )?;
            Ok(LeaseOutcome::Recorded)
        })
        .await
    }
}

/// Removes the update of an article that is taken down. Returns false if it is being sent at this moment.
pub(super) fn cancel(session: &mut dyn Session, article_id: &str) -> Result<bool> {
    if leased(session, article_id)? == Some(true) {
        return Ok(false);
    }
    session.execute("DELETE FROM article_updates WHERE article_id = $1", values![article_id])?;
    Ok(true)
}

fn is_hosted(session: &mut dyn Session, article_id: &str) -> Result<bool> {
    session.exists("SELECT 1 FROM articles WHERE id = $1 AND is_hosted = 1", values![article_id])
}

/// Returns true if the update of the article is being sent; `None` without an update. Locks the row until the commit.
fn leased(session: &mut dyn Session, article_id: &str) -> Result<Option<bool>> {
    session.first(
        locking!("SELECT lease_token FROM article_updates WHERE article_id = $1"; "FOR UPDATE"),
        values![article_id],
        |row| Ok(row.maybe_text()?.is_some()),
    )
}

/// Makes the update of an article due. If an earlier version is being sent, `record_update` makes it due, so that no older version
/// arrives after a newer one.
fn queue(session: &mut dyn Session, article_id: &str, version: u32, now: Timestamp) -> Result<()> {
    match leased(session, article_id)? {
        Some(true) => session.execute(
            "UPDATE article_updates SET version = $2, attempts = 0 WHERE article_id = $1",
            values![article_id, version],
        )?,
        Some(false) => session.execute(
            "UPDATE article_updates SET version = $2, attempts = 0, run_at = $3, error = NULL WHERE article_id = $1",
            values![article_id, version, now],
        )?,
        None => session.execute(
            "INSERT INTO article_updates (article_id, version, attempts, run_at) VALUES ($1, $2, 0, $3)",
            values![article_id, version, now],
        )?,
    };
    Ok(())
}

fn claim(
    session: &mut dyn ExclusiveSession,
    limit: u32,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<ClaimedUpdate<SealedTarget>>> {
    // Choosing the folder of a website also takes this lock.
    session.lock(CLAIM_LOCK)?;
    let due = session.rows(
        locking!(
            "SELECT article_id, attempts FROM article_updates WHERE run_at <= $1 ORDER BY run_at, article_id LIMIT $2";
            "FOR UPDATE SKIP LOCKED"
        ),
        values![now, limit],
        |row| Ok((row.text()?, row.number::<u32>()?)),
    )?;
    let mut claimed = Vec::new();
    for (article_id, attempts) in due {
        if attempts >= MAX_PUBLISH_ATTEMPTS {
            session.execute(
                "UPDATE article_updates SET run_at = NULL, error = $2, lease_token = NULL WHERE article_id = $1",
                values![&article_id, INTERRUPTED],
            )?;
            continue;
        }
        if !session.exists(IS_PUBLISHED, values![&article_id])? {
            session.execute("DELETE FROM article_updates WHERE article_id = $1", values![&article_id])?;
            continue;
        }
        let (article, website, target) = match read_row(&article_id, publication(session, &article_id))? {
            Ok(publication) => publication,
            Err(row) => {
                tracing::error!(%article_id, reason = row.reason, "cannot read an edited article; it waits");
                session.execute(
                    "UPDATE article_updates SET run_at = $2, lease_token = NULL WHERE article_id = $1",
                    values![&article_id, lease_until],
                )?;
                continue;
            }
        };
        if !target.is_hosted() {
            targets::note_publication(session, &article_id, &target)?;
        }
        let lease_token = lease_token(session.randomness());
        session.execute(
            "UPDATE article_updates SET attempts = $2, run_at = $3, lease_token = $4 WHERE article_id = $1",
            values![&article_id, attempts + 1, lease_until, &lease_token],
        )?;
        claimed.push(ClaimedUpdate { lease_token, attempts: attempts + 1, article, website, target });
    }
    Ok(claimed)
}

/// False for an article that was taken down, or whose website was deleted.
const IS_PUBLISHED: &str = "SELECT 1 FROM articles JOIN websites ON websites.id = articles.website_id
     WHERE articles.id = $1 AND articles.status = 'published' AND deleted_at IS NULL";

/// Returns an article, its website and its target.
pub(super) fn publication(session: &mut dyn Session, article_id: &str) -> Result<(Article, Website, SealedTarget)> {
    let article = articles::load(session, article_id)?.ok_or(Error::MissingReference)?;
    let website = websites::find_website(session, &article.website_id)?.ok_or(Error::MissingReference)?;
    let target = targets::find(session, &article.website_id)?;
    Ok((article, website, target))
}
