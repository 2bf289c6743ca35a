//! Statements about articles. Their bytes and entity tags are made here, once per change, so that reading serves them as
//! they stand.

use std::fmt::Write as _;

use bytes::Bytes;
use rusqlite::{Connection, named_params};
use sha2::{Digest as _, Sha256};

use crate::domain::article::suffixed_slug;
use crate::domain::publication::{Article, ArticleStatus};
use crate::domain::store::{Result, StoredArticle};

use super::row::{json, named, time, to_json};

pub(super) fn find(connection: &Connection, article_id: &str) -> Result<Option<StoredArticle>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, account_id, website_id, status, etag, updated_at, body FROM articles WHERE id = ?1",
    )?;
    let mut rows = statement.query([article_id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(StoredArticle {
        id: row.get(0)?,
        account_id: row.get(1)?,
        website_id: row.get(2)?,
        status: named(row, 3, ArticleStatus::parse)?,
        etag: row.get(4)?,
        updated_at: time(row, 5)?,
        body: Bytes::copy_from_slice(row.get_ref(6)?.as_bytes().map_err(rusqlite::Error::from)?),
    }))
}

pub(super) fn find_published(connection: &Connection, website_id: &str, slug: &str) -> Result<Option<Article>> {
    let mut statement = connection
        .prepare_cached("SELECT body FROM articles WHERE website_id = ?1 AND slug = ?2 AND status = 'published'")?;
    let mut rows = statement.query([website_id, slug])?;
    rows.next()?.map(|row| json(row, "body")).transpose()
}

/// Reads an article whole.
pub(super) fn load(connection: &Connection, article_id: &str) -> Result<Option<Article>> {
    let mut statement = connection.prepare_cached("SELECT body FROM articles WHERE id = ?1")?;
    let mut rows = statement.query([article_id])?;
    rows.next()?.map(|row| json(row, "body")).transpose()
}

/// Stores a new article under a slug that is free in its website.
pub(super) fn insert(connection: &Connection, account_id: &str, article: Article) -> Result<()> {
    let slug = free_slug(connection, &article.website_id, &article.content.slug)?;
    let article = article.with_slug(slug);
    let body = to_json(&article);
    connection
        .prepare_cached(
            "INSERT INTO articles (id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag, summary,
                body)
             VALUES (:id, :account_id, :website_id, :job_id, :status, :slug, :created_at, :updated_at, :etag, :summary,
                :body)",
        )?
        .execute(named_params! {
            ":id": article.id,
            ":account_id": account_id,
            ":website_id": article.website_id,
            ":job_id": article.job_id,
            ":status": article.status.as_str(),
            ":slug": article.content.slug,
            ":created_at": article.created_at.millis(),
            ":updated_at": article.updated_at.millis(),
            ":etag": entity_tag(&body),
            ":summary": to_json(&article.summary()),
            ":body": body,
        })?;
    Ok(())
}

/// Replaces an article by its later form; id, website, slug and creation stay.
pub(super) fn update(connection: &Connection, article: &Article) -> Result<()> {
    let body = to_json(article);
    connection
        .prepare_cached(
            "UPDATE articles SET status = ?2, updated_at = ?3, etag = ?4, summary = ?5, body = ?6 WHERE id = ?1",
        )?
        .execute((
            &article.id,
            article.status.as_str(),
            article.updated_at.millis(),
            entity_tag(&body),
            to_json(&article.summary()),
            &body,
        ))?;
    Ok(())
}

/// `slug`, or the same with a number that is free. Numbers are tried by doubling and then by halving, because trying one
/// after the other would take longer with every article on the same topic.
fn free_slug(connection: &Connection, website_id: &str, slug: &str) -> Result<String> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM articles WHERE website_id = ?1 AND slug = ?2")?;
    let mut is_taken = |slug: &str| statement.exists([website_id, slug]);
    if !is_taken(slug)? {
        return Ok(slug.to_owned());
    }
    let (mut taken, mut free) = (1_u32, 2_u32);
    while is_taken(&suffixed_slug(slug, free))? {
        taken = free;
        free = free.saturating_mul(2);
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(&suffixed_slug(slug, middle))? {
            taken = middle;
        } else {
            free = middle;
        }
    }
    Ok(suffixed_slug(slug, free))
}

/// A strong entity tag: the first half of the SHA-256 of the bytes that are served.
fn entity_tag(body: &str) -> String {
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &Sha256::digest(body.as_bytes())[..16] {
        write!(tag, "{byte:02x}").expect("writing to a String does not fail");
    }
    tag.push('"');
    tag
}
