//! Publishing targets of websites, and the published files.

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::publishing_target::{FolderName, FrontMatter, PublishingTarget};
use crate::domain::store::{Error, FileRemoval, Result, StoredTarget};
use crate::wakeups::Announcement;

use super::post_claims;
use super::sql::{Columns, Session, values};
use super::store::Store;

/// A stored target, with its secret sealed.
pub(super) type SealedTarget = PublishingTarget<String>;

impl Store {
    /// Returns the publishing target of the website. Default: the hosted site.
    pub async fn find_target(&self, website_id: &str) -> Result<StoredTarget> {
        let id = website_id.to_owned();
        let sealed = self.read_few(move |session| find(session, &id)).await?;
        Ok(self.open_target(website_id, sealed))
    }

    /// Replaces the publishing target `former` of the website for future articles. Posts and edits that wait for a retry are due now.
    /// Returns [`AlreadyExists`](Error::AlreadyExists) if another website has the folder, and true if the website exists and
    /// its target is `former`.
    pub async fn set_target(
        &self,
        website_id: &str,
        former: &StoredTarget,
        target: &PublishingTarget,
        now: Moment,
    ) -> Result<bool> {
        let sealed = target.clone().map_secret(|secret| self.cipher.seal(&owner(website_id), &secret));
        let (store, website_id, former) = (self.clone(), website_id.to_owned(), former.clone());
        let change = self.change_exclusive(move |session| {
            // A claim reads targets and adds files, so the check of the folder waits for it.
            session.lock(post_claims::CLAIM_LOCK)?;
            if !session.exists("SELECT 1 FROM websites WHERE id = $1 AND deleted_at IS NULL", values![&website_id])?
                || store.open_target(&website_id, find(session, &website_id)?) != former
            {
                return Ok(false);
            }
            session.execute(
                "UPDATE scheduled_posts SET run_at = $2
                 WHERE website_id = $1 AND status = 'scheduled' AND attempts > 0 AND is_wall_time = 0 AND run_at > $2",
                values![&website_id, now.steady],
            )?;
            session.execute(
                "UPDATE article_updates SET run_at = $2
                 WHERE lease_token IS NULL AND run_at > $2
                    AND (SELECT website_id FROM articles WHERE articles.id = article_id) = $1",
                values![&website_id, now.steady],
            )?;
            let (folder, front_matter, url, secret) = match &sealed {
                PublishingTarget::Hosted => {
                    session.execute("DELETE FROM publishing_targets WHERE website_id = $1", values![&website_id])?;
                    return Ok(true);
                }
                PublishingTarget::Directory { folder, front_matter } => {
                    // A folder belongs to the website that has published there, even after that website publishes elsewhere.
                    let is_taken = session.exists(
                        "SELECT 1 FROM published_files JOIN articles ON articles.id = published_files.article_id
                         WHERE published_files.folder = $1 AND articles.website_id <> $2 LIMIT 1",
                        values![folder.as_str(), &website_id],
                    )?;
                    if is_taken {
                        return Err(Error::AlreadyExists);
                    }
                    (Some(folder.as_str()), Some(front_matter.as_str()), None, None)
                }
                PublishingTarget::Push { url, secret } => (None, None, Some(url.as_str()), Some(secret.as_str())),
            };
            session.execute(
                "INSERT INTO publishing_targets (website_id, kind, folder, front_matter, url, secret, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (website_id) DO UPDATE SET kind = excluded.kind, folder = excluded.folder,
                    front_matter = excluded.front_matter, url = excluded.url, secret = excluded.secret,
                    updated_at = excluded.updated_at",
                values![&website_id, sealed.kind(), folder, front_matter, url, secret, now.wall],
            )?;
            Ok(true)
        });
        let is_set = change.await?;
        if is_set {
            self.announce(Announcement::PostDue);
        }
        Ok(is_set)
    }

    /// Returns up to `limit` files whose removal is due.
    pub async fn due_removals(&self, limit: u32, now: Timestamp) -> Result<Vec<FileRemoval>> {
        self.read_many(move |session| {
            session.rows(
                "SELECT published_files.article_id, published_files.folder, articles.slug, published_files.remove_at
                 FROM published_files JOIN articles ON articles.id = published_files.article_id
                 WHERE published_files.remove_at <= $1 ORDER BY published_files.remove_at LIMIT $2",
                values![now, limit],
                |row| {
                    Ok(FileRemoval {
                        article_id: row.text()?,
                        folder: row.text()?,
                        slug: row.text()?,
                        due_at: row.time()?,
                    })
                },
            )
        })
        .await
    }

    /// Postpones a removal and returns it with its new time. `None` if the article is being published to that folder again, so that
    /// its file stays.
    pub async fn postpone_removal(&self, removal: &FileRemoval, until: Timestamp) -> Result<Option<FileRemoval>> {
        let removal = removal.clone();
        self.change(move |session| {
            let FileRemoval { article_id, folder, due_at, .. } = &removal;
            let postponed = session.execute(
                "UPDATE published_files SET remove_at = $4 WHERE article_id = $1 AND folder = $2 AND remove_at = $3",
                values![article_id, folder, *due_at, until],
            )?;
            Ok((postponed > 0).then(|| FileRemoval { due_at: until, ..removal.clone() }))
        })
        .await
    }

    /// Records that the file was removed.
    pub async fn record_removal(&self, removal: &FileRemoval) -> Result<()> {
        let removal = removal.clone();
        self.change(move |session| {
            let FileRemoval { article_id, folder, due_at, .. } = &removal;
            session.execute(
                "DELETE FROM published_files WHERE article_id = $1 AND folder = $2 AND remove_at = $3",
                values![article_id, folder, *due_at],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the target of a website with its secret opened, or why it cannot be opened.
    pub(super) fn open_target(&self, website_id: &str, sealed: SealedTarget) -> StoredTarget {
        sealed.map_secret(|secret| self.cipher.open(&owner(website_id), &secret))
    }
}

pub(super) fn find(session: &mut dyn Session, website_id: &str) -> Result<SealedTarget> {
    let found = session.first(
        "SELECT kind, folder, front_matter, url, secret FROM publishing_targets WHERE website_id = $1",
        values![website_id],
        target,
    )?;
    Ok(found.unwrap_or_default())
}

fn target(row: &mut Columns<'_>) -> Result<SealedTarget> {
    let kind = row.text()?;
    let (folder, front_matter) = (row.maybe_text()?, row.maybe_text()?);
    let (url, secret) = (row.maybe_text()?, row.maybe_text()?);
    let directory = || {
        let folder = FolderName::parse(folder.as_deref()?)?;
        Some(PublishingTarget::Directory { folder, front_matter: FrontMatter::parse(front_matter.as_deref()?)? })
    };
    let push = || Some(PublishingTarget::Push { url: url.clone()?, secret: secret.clone()? });
    let read = match kind.as_str() {
        "directory" => directory(),
        "push" => push(),
        _ => None,
    };
    read.ok_or_else(|| Error::Broken("a publishing target has an unknown kind or an incomplete row".into()))
}

/// Records, before publishing, that the article is about to be published. Its file at the target stays; its files elsewhere are
/// removed.
pub(super) fn note_publication(session: &mut dyn Session, article_id: &str, target: &SealedTarget) -> Result<()> {
    remove_files(session, article_id)?;
    let PublishingTarget::Directory { folder, .. } = target else { return Ok(()) };
    session.execute(
        "INSERT INTO published_files (article_id, folder) VALUES ($1, $2)
         ON CONFLICT (article_id, folder) DO UPDATE SET remove_at = NULL",
        values![article_id, folder.as_str()],
    )?;
    Ok(())
}

/// Schedules the removal of an article's files; they are due at once.
pub(super) fn remove_files(session: &mut dyn Session, article_id: &str) -> Result<()> {
    session.execute("UPDATE published_files SET remove_at = 0 WHERE article_id = $1", values![article_id])?;
    Ok(())
}

/// Schedules the removal of the files of a post's article.
pub(super) fn remove_files_of_post(session: &mut dyn Session, post_id: &str) -> Result<()> {
    session.execute(
        "UPDATE published_files SET remove_at = 0
         WHERE article_id = (SELECT article_id FROM scheduled_posts WHERE scheduled_posts.id = $1)",
        values![post_id],
    )?;
    Ok(())
}

/// Returns the owner of the secret, an id that no endpoint has.
fn owner(website_id: &str) -> String {
    format!("push:{website_id}")
}
