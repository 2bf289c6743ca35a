//! Changes of scheduled posts by users.

use std::collections::BTreeSet;

use crate::domain::clock::Moment;
use crate::domain::post::{PostChange, PostStatus, ScheduledPost};
use crate::domain::publish::DueAt;
use crate::domain::store::{Error, Result};
use crate::wakeups::Announcement;

use super::sql::Session;
use super::store::Store;
use super::{articles, posts, slots, targets, websites};

impl Store {
    /// Changes a post and its article, and returns the post; `None` if its state does not allow the change.
    pub async fn change_post(&self, post_id: &str, change: PostChange, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self.change_exclusive(move |session| change_with_article(session, &post_id, change, now)).await?;
        if changed.is_some() {
            self.announce(Announcement::PostDue);
        }
        Ok(changed)
    }

    /// Applies [`PostChange::Schedule`] with the next free slot of the post's website. Also returns `None` if no slot is
    /// free.
    pub async fn schedule_in_slot(&self, post_id: &str, now: Moment) -> Result<Option<ScheduledPost>> {
        let post_id = post_id.to_owned();
        let changed = self
            .change_exclusive(move |session| {
                let Some(post) = posts::find(session, &post_id)? else { return Ok(None) };
                let website = websites::find_website(session, &post.website_id)?.ok_or(Error::MissingReference)?;
                slots::lock(session, &BTreeSet::from([post.website_id.as_str()]))?;
                match slots::free(session, &website.website_id, slots::of(&website), now.wall, (1, &post_id))?.first() {
                    Some(slot) => change_with_article(session, &post_id, PostChange::Schedule(Some(*slot)), now),
                    None => Ok(None),
                }
            })
            .await?;
        if changed.is_some() {
            self.announce(Announcement::PostDue);
        }
        Ok(changed)
    }
}

/// Changes a post and its article, if their states allow it. Cancelling a post does not change an article that was taken down.
fn change_with_article(
    session: &mut dyn Session,
    post_id: &str,
    change: PostChange,
    now: Moment,
) -> Result<Option<ScheduledPost>> {
    let Some(changed) = posts::lock(session, post_id)?.and_then(|post| post.changed(change, now.wall)) else {
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
    posts::update(session, &changed, is_scheduled.then(|| DueAt::approved(changed.publish_at, now)))?;
    if let Some(article) = article {
        articles::update(session, &article, None)?;
        // An earlier attempt may have published it without recording that.
        targets::remove_files(session, &article.id)?;
    }
    Ok(Some(changed))
}
