//! Articles. Their bytes and entity tags are computed once per change, so that reads return stored bytes.

use std::collections::HashSet;

use crate::domain::article::{Article, ArticleStatus};
use crate::domain::clock::Timestamp;
use crate::domain::post::{PostChange, PostStatus};
use crate::domain::store::{Result, StoredArticle};
use crate::domain::validators::entity_tag;
use crate::domain::written_article::suffixed_slug;

use super::deletion::website_exists;
use super::sql::{BatchStatement, Columns, ExclusiveSession, Session, locking, read, to_json, values};
use super::store::{Engine, Store};
use super::{article_edits, posts, targets};

/// The columns of a stored article in the order in which [`stored`] reads them.
macro_rules! stored_columns {
    () => {
        "id, account_id, website_id, status, etag, updated_at, body"
    };
}

impl Store {
    /// Returns the article of any account.
    pub async fn find_article(&self, article_id: &str) -> Result<Option<StoredArticle>> {
        let id = article_id.to_owned();
        let read = move |session: &mut dyn Session| {
            session.first(
                concat!("SELECT ", stored_columns!(), " FROM articles WHERE id = $1 AND ", website_exists!()),
                values![&id],
                stored,
            )
        };
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_article(article_id, read).await,
            Engine::Postgres(postgres) => postgres.readers.read(read).await,
        }
    }

    /// Returns the article of the job, which may have been deleted.
    pub async fn find_article_of_job(&self, job_id: &str) -> Result<Option<StoredArticle>> {
        let job_id = job_id.to_owned();
        self.read_few(move |session| {
            session.first(
                concat!("SELECT ", stored_columns!(), " FROM articles WHERE job_id = $1 AND ", website_exists!()),
                values![&job_id],
                stored,
            )
        })
        .await
    }

    /// Returns the article that the hosted site shows at that address.
    pub async fn find_published(&self, website_id: &str, slug: &str) -> Result<Option<Article>> {
        let (website_id, slug) = (website_id.to_owned(), slug.to_owned());
        self.read_few(move |session| {
            session.first(
                "SELECT body FROM articles
                 WHERE website_id = $1 AND slug = $2 AND status = 'published' AND is_hosted = 1",
                values![&website_id, &slug],
                read::json,
            )
        })
        .await
    }

    /// Takes an article down and cancels its waiting post. Returns `false` if it is down already or is being published.
    pub async fn archive_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.change_exclusive(move |session| {
            // Every transaction that changes both locks the post before the article. The post of an old article was purged.
            let post = posts::lock_post_of_article(session, &article_id)?;
            let Some(article) = lock(session, &article_id)?.and_then(|article| article.archived(now)) else {
                return Ok(false);
            };
            if post.as_ref().is_some_and(|post| post.status == PostStatus::Publishing)
                || !article_edits::cancel(session, &article_id)?
            {
                return Ok(false);
            }
            if let Some(cancelled) = post.and_then(|post| post.changed(PostChange::Cancel, now)) {
                posts::update(session, &cancelled, None)?;
            }
            update(session, &article, None)?;
            targets::remove_files(session, &article_id)?;
            Ok(true)
        })
        .await
    }

    /// Turns an article that was taken down into a draft. Returns `false` if it was not taken down.
    pub async fn restore_article(&self, article_id: &str, now: Timestamp) -> Result<bool> {
        let article_id = article_id.to_owned();
        self.change_exclusive(move |session| {
            posts::lock_post_of_article(session, &article_id)?;
            let Some(article) = lock(session, &article_id)?.and_then(|article| article.restored(now)) else {
                return Ok(false);
            };
            update(session, &article, None)?;
            Ok(true)
        })
        .await
    }
}

/// Reads the columns of `stored_columns`.
fn stored(row: &mut Columns<'_>) -> Result<StoredArticle> {
    Ok(StoredArticle {
        id: row.text()?,
        account_id: row.text()?,
        website_id: row.text()?,
        status: row.named(ArticleStatus::parse)?,
        etag: row.text()?,
        updated_at: row.time()?,
        body: row.bytes()?,
    })
}

/// Reads a complete article and locks it.
pub(super) fn lock(session: &mut dyn Session, article_id: &str) -> Result<Option<Article>> {
    session.first(locking!("SELECT body FROM articles WHERE id = $1"; "FOR UPDATE"), values![article_id], read::json)
}

/// Reads a complete article.
pub(super) fn load(session: &mut dyn Session, article_id: &str) -> Result<Option<Article>> {
    session.first("SELECT body FROM articles WHERE id = $1", values![article_id], read::json)
}

/// Stores new articles with the accounts that own them. Their slugs must be free in their websites.
pub(super) fn insert(session: &mut dyn Session, articles: &[(&str, Article)]) -> Result<()> {
    let texts: Vec<_> = articles
        .iter()
        .map(|(_, article)| {
            let body = to_json(article);
            (entity_tag(body.as_bytes()), to_json(&article.summary()), body, article.search_text())
        })
        .collect();
    let inputs: Vec<_> = articles
        .iter()
        .zip(&texts)
        .map(|((account_id, article), (etag, summary, body, search_text))| {
            values![
                &article.id,
                *account_id,
                &article.website_id,
                &article.job_id,
                article.status.as_str(),
                &article.content.slug,
                article.created_at,
                article.updated_at,
                etag,
                summary,
                body,
                search_text,
            ]
            .to_vec()
        })
        .collect();
    session.execute_batch(&INSERT, &inputs)
}

const INSERT: BatchStatement = BatchStatement {
    sqlite_each: "INSERT INTO articles (id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag,
            summary, body, search_text)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    postgres_all:
        "INSERT INTO articles (id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag,
            summary, body, search_text)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[],
            $8::int8[], $9::text[], $10::text[], $11::text[], $12::text[])",
};

/// Replaces an article by a later version; id, website, slug and creation time stay. `is_hosted` says whether the hosted site shows a
/// published article; `None` keeps the stored value.
pub(super) fn update(session: &mut dyn Session, article: &Article, is_hosted: Option<bool>) -> Result<()> {
    let body = to_json(article);
    session.execute(
        "UPDATE articles SET status = $2, updated_at = $3, etag = $4, summary = $5, body = $6,
            is_hosted = coalesce($7, is_hosted), search_text = $8
         WHERE id = $1",
        values![
            &article.id,
            article.status.as_str(),
            article.updated_at,
            &entity_tag(body.as_bytes()),
            &to_json(&article.summary()),
            &body,
            is_hosted,
            &article.search_text(),
        ],
    )?;
    Ok(())
}

/// Returns for each article a slug that is free in its website and among the others here: the article's slug, or this slug with
/// a number.
pub(super) fn free_slugs(session: &mut dyn ExclusiveSession, articles: &[&Article]) -> Result<Vec<String>> {
    let mut websites: Vec<_> = articles.iter().map(|article| article.website_id.as_str()).collect();
    websites.sort_unstable();
    websites.dedup();
    session.lock_all(&websites.iter().map(|website_id| format!("slugs:{website_id}")).collect::<Vec<_>>())?;
    let wanted: Vec<_> =
        articles.iter().map(|article| values![&article.website_id, &article.content.slug].to_vec()).collect();
    let mut is_taken = vec![false; articles.len()];
    session.query_batch(&FIND_SLUGS, &wanted, &mut |number, _| {
        is_taken[number] = true;
        Ok(())
    })?;
    let mut assigned: HashSet<(&str, String)> = HashSet::new();
    let mut slugs = Vec::with_capacity(articles.len());
    for (article, is_taken) in articles.iter().zip(is_taken) {
        let (website_id, slug) = (article.website_id.as_str(), &article.content.slug);
        let free = if is_taken || assigned.contains(&(website_id, slug.clone())) {
            free_slug(session, website_id, slug, &assigned)?
        } else {
            slug.clone()
        };
        assigned.insert((website_id, free.clone()));
        slugs.push(free);
    }
    Ok(slugs)
}

const FIND_SLUG: &str = "SELECT 1 FROM articles WHERE website_id = $1 AND slug = $2";

const FIND_SLUGS: BatchStatement = BatchStatement {
    sqlite_each: FIND_SLUG,
    postgres_all: "SELECT input.number
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (website_id, slug, number)
         JOIN articles ON articles.website_id = input.website_id AND articles.slug = input.slug",
};

/// Returns `slug` with a free number. Finds the number by doubling and bisection. A linear search would take longer with every
/// article on the same topic.
fn free_slug(
    session: &mut dyn Session,
    website_id: &str,
    slug: &str,
    assigned: &HashSet<(&str, String)>,
) -> Result<String> {
    let mut is_taken = |number: u32| -> Result<bool> {
        let slug = suffixed_slug(slug, number);
        let is_stored = session.exists(FIND_SLUG, values![website_id, &slug])?;
        Ok(is_stored || assigned.contains(&(website_id, slug)))
    };
    let (mut taken, mut free) = (1_u32, 2_u32);
    while is_taken(free)? {
        taken = free;
        free = free.saturating_mul(2);
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(middle)? {
            taken = middle;
        } else {
            free = middle;
        }
    }
    Ok(suffixed_slug(slug, free))
}
