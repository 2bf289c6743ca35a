//! Deletes websites and accounts. A deletion hides them at once. `retention` then removes their records in small batches.

use crate::domain::audit::Action;
use crate::domain::clock::Timestamp;
use crate::domain::store::{DeletionCounts, Purged, PurgedBatch, Result};

use super::accounts::lock_account;
use super::erasure;
use super::retention::{RECORDS_AT_ONCE, TREES_AT_ONCE, from_the_oldest};
use super::sql::{Session, Statement, locking, read, to_json, values};
use super::store::Store;

/// True for a record with the column `website_id`, if its website was not deleted. PostgreSQL could turn `EXISTS` into a join that
/// begins with the websites.
macro_rules! website_exists {
    () => {
        "(SELECT websites.deleted_at FROM websites WHERE websites.id = website_id) IS NULL"
    };
}
pub(super) use website_exists;

impl Store {
    /// Counts the records that the deletion of the website or the account with this id removes.
    pub async fn count_to_delete(&self, id: &str) -> Result<DeletionCounts> {
        let id = id.to_owned();
        self.read_many(move |session| {
            let mut count =
                |sql: &'static str| -> Result<u64> { Ok(session.number(sql, values![&id])?.unsigned_abs()) };
            Ok(DeletionCounts {
                websites: count(
                    "SELECT count(*) FROM websites WHERE (id = $1 OR account_id = $1) AND deleted_at IS NULL",
                )?,
                articles: count("SELECT count(*) FROM articles WHERE website_id = $1 OR account_id = $1")?,
                posts: count("SELECT count(*) FROM scheduled_posts WHERE website_id = $1 OR account_id = $1")?,
                leads: count("SELECT count(*) FROM leads WHERE website_id = $1 OR account_id = $1")?,
                endpoints: count("SELECT count(*) FROM hook_endpoints WHERE website_id = $1 OR account_id = $1")?,
            })
        })
        .await
    }

    /// Deletes a website of the account: hides it and its records, stops its endpoints, and deletes the keys that are restricted
    /// to it. Returns true if the website existed.
    pub async fn delete_website(&self, account_id: &str, website_id: &str, now: Timestamp) -> Result<bool> {
        let (account_id, website_id) = (account_id.to_owned(), website_id.to_owned());
        self.change_exclusive(move |session| {
            lock_account(session, &account_id)?;
            let is_deleted = hide_websites(session, &website_id, now)? > 0;
            if is_deleted {
                remove_from_keys(session, &account_id, &website_id)?;
            }
            Ok(is_deleted)
        })
        .await
    }

    /// Deletes an account: hides it and its records, and deletes its keys and users with their sessions. With `last_user`, only if
    /// that is the only user; returns true if so.
    pub async fn delete_account(&self, account_id: &str, last_user: Option<&str>, now: Timestamp) -> Result<bool> {
        let (account_id, last_user) = (account_id.to_owned(), last_user.map(str::to_owned));
        self.change_exclusive(move |session| {
            lock_account(session, &account_id)?;
            let users = session.rows("SELECT id FROM users WHERE account_id = $1", values![&account_id], read::text)?;
            if last_user.as_ref().is_some_and(|last| users != [last.as_str()]) {
                return Ok(false);
            }
            // The name becomes free, and may be the name of a person.
            session.execute(
                "UPDATE accounts SET deleted_at = $2, name = id, display_name = NULL WHERE id = $1",
                values![&account_id, now],
            )?;
            hide_websites(session, &account_id, now)?;
            session.execute("DELETE FROM api_keys WHERE account_id = $1", values![&account_id])?;
            session.execute("DELETE FROM users WHERE account_id = $1", values![&account_id])?;
            Ok(true)
        })
        .await
    }
}

/// Hides a website, or all websites of an account, and stops their endpoints. Ids of both kinds differ in their prefixes. Without its
/// queue depth a website gets no jobs; its unfinished jobs fail, because it is archived.
fn hide_websites(session: &mut dyn Session, id: &str, now: Timestamp) -> Result<u64> {
    let hidden = session.execute(
        "UPDATE websites SET deleted_at = $2, status = 'archived', name = '', url = '', brand_voice_id = NULL,
            publishing_slots = NULL, lead_retention = NULL, consent_text = NULL, privacy_url = NULL
         WHERE (id = $1 OR account_id = $1) AND deleted_at IS NULL",
        values![id, now],
    )?;
    session.execute(
        "DELETE FROM queue_depths WHERE website_id IN (SELECT id FROM websites WHERE id = $1 OR account_id = $1)",
        values![id],
    )?;
    session.execute(
        "UPDATE hook_endpoints SET status = 'disabled', disabled_reason = NULL WHERE website_id = $1 OR account_id = $1",
        values![id],
    )?;
    // Another website may use the folder once the files are forgotten.
    session.execute(
        "DELETE FROM publishing_targets WHERE website_id IN (SELECT id FROM websites WHERE id = $1 OR account_id = $1)",
        values![id],
    )?;
    Ok(hidden)
}

/// Removes the website from the keys that are restricted to some websites. Deletes a key that may use no other website.
fn remove_from_keys(session: &mut dyn Session, account_id: &str, website_id: &str) -> Result<()> {
    let keys: Vec<(String, Vec<String>)> = session.rows(
        locking!(
            "SELECT id, website_ids FROM api_keys WHERE account_id = $1 AND website_ids IS NOT NULL ORDER BY id";
            "FOR UPDATE"
        ),
        values![account_id],
        |row| Ok((row.text()?, row.json()?)),
    )?;
    for (key_id, mut website_ids) in keys {
        let count = website_ids.len();
        website_ids.retain(|id| id != website_id);
        if website_ids.is_empty() {
            session.execute("DELETE FROM api_keys WHERE id = $1", values![&key_id])?;
        } else if website_ids.len() < count {
            let website_ids = to_json(&website_ids);
            session.execute("UPDATE api_keys SET website_ids = $2 WHERE id = $1", values![&key_id, &website_ids])?;
        }
    }
    Ok(())
}

/// Removes some records of a deleted website; the website itself with the last ones.
pub(super) fn remove_websites(session: &mut dyn Session) -> Result<PurgedBatch> {
    let mut batch = PurgedBatch::default();
    let deleted = session.first(
        "SELECT id, account_id FROM websites WHERE deleted_at IS NOT NULL AND id > '' ORDER BY id LIMIT 1",
        &[],
        |row| Ok((row.text()?, row.text()?)),
    )?;
    let Some((website_id, account_id)) = deleted else { return Ok(batch) };
    if has_more(session, (&website_id, &account_id), &mut batch.purged)? {
        batch.next = from_the_oldest(true);
    } else if !session.exists(IN_USE, values![&website_id])? {
        for rest in REST_OF_WEBSITE {
            session.execute(rest, values![&website_id])?;
        }
        batch.purged.websites = 1;
        batch.next = from_the_oldest(true);
    }
    Ok(batch)
}

/// Finds a record that a worker held while the others were deleted. The next run deletes it.
const IN_USE: &str = "SELECT 1 FROM jobs WHERE website_id = $1
     UNION ALL SELECT 1 FROM scheduled_posts WHERE website_id = $1
     UNION ALL SELECT 1 FROM articles WHERE website_id = $1
     UNION ALL SELECT 1 FROM leads WHERE website_id = $1 LIMIT 1";

/// The tables with few records of a website, the website last.
const REST_OF_WEBSITE: [&str; 4] = [
    "DELETE FROM former_consent_texts WHERE website_id = $1",
    "DELETE FROM late_publications WHERE website_id = $1",
    "DELETE FROM queue_depths WHERE website_id = $1",
    "DELETE FROM websites WHERE id = $1",
];

/// Removes some records of the website. Returns true if there may be more.
fn has_more(session: &mut dyn Session, (website_id, account_id): (&str, &str), purged: &mut Purged) -> Result<bool> {
    let leads = some(session, LEADS_OF_WEBSITE, website_id)?;
    if !leads.is_empty() {
        erasure::delete_leads(session, &leads, purged)?;
        return Ok(true);
    }
    let posts = session.execute(DELETE_POSTS, values![website_id, RECORDS_AT_ONCE])?;
    purged.posts += posts;
    if posts > 0 {
        return Ok(true);
    }
    let responses = session.execute(DELETE_RESPONSES, values![account_id, website_id, RECORDS_AT_ONCE])?;
    purged.idempotency_keys += responses;
    if responses > 0 {
        return Ok(true);
    }
    let articles = some(session, ARTICLES_OF_WEBSITE, website_id)?;
    if !articles.is_empty() {
        erasure::delete_articles(session, &articles, purged)?;
        return Ok(true);
    }
    let jobs = some(session, JOBS_OF_WEBSITE, website_id)?;
    if !jobs.is_empty() {
        erasure::delete_jobs(session, &jobs, purged)?;
        return Ok(true);
    }
    // Events of edits and of failed posts.
    let events = session.rows(EVENTS_OF_WEBSITE, values![account_id, website_id, TREES_AT_ONCE], read::text)?;
    if !events.is_empty() {
        erasure::delete_events(session, &events, purged)?;
        return Ok(true);
    }
    remove_endpoint(session, "SELECT id FROM hook_endpoints WHERE website_id = $1 LIMIT 1", website_id, purged)
}

/// Removes some deliveries of the first endpoint that `find` finds; the endpoint with the last ones. Returns true if there was one.
fn remove_endpoint(session: &mut dyn Session, find: &'static str, owner: &str, purged: &mut Purged) -> Result<bool> {
    let Some(endpoint_id) = session.first(find, values![owner], read::text)? else { return Ok(false) };
    let deliveries = session.rows(
        "SELECT id FROM deliveries WHERE endpoint_id = $1 LIMIT $2",
        values![&endpoint_id, RECORDS_AT_ONCE],
        read::text,
    )?;
    if deliveries.is_empty() {
        session.execute("DELETE FROM hook_endpoints WHERE id = $1", values![&endpoint_id])?;
    } else {
        erasure::delete_deliveries(session, deliveries, purged)?;
    }
    Ok(true)
}

/// Removes some records of a deleted account without websites; the account itself with the last ones. The entry of the audit trail
/// about the deletion stays.
pub(super) fn remove_accounts(session: &mut dyn Session) -> Result<PurgedBatch> {
    let mut batch = PurgedBatch::default();
    let deleted = session.first(
        "SELECT id FROM accounts WHERE deleted_at IS NOT NULL AND id > ''
            AND (SELECT websites.id FROM websites WHERE websites.account_id = accounts.id LIMIT 1) IS NULL
         ORDER BY id LIMIT 1",
        &[],
        read::text,
    )?;
    let Some(account_id) = deleted else { return Ok(batch) };
    batch.next = from_the_oldest(true);
    let endpoint = "SELECT id FROM hook_endpoints WHERE account_id = $1 LIMIT 1";
    if remove_endpoint(session, endpoint, &account_id, &mut batch.purged)? {
        return Ok(batch);
    }
    let events = some(session, EVENTS_OF_ACCOUNT, &account_id)?;
    if !events.is_empty() {
        erasure::delete_events(session, &events, &mut batch.purged)?;
        return Ok(batch);
    }
    let entries = session
        .execute(DELETE_AUDIT_ENTRIES, values![&account_id, Action::AccountDeleted.as_str(), RECORDS_AT_ONCE])?;
    batch.purged.audit_entries = entries;
    if entries == 0 {
        for rest in REST_OF_ACCOUNT {
            session.execute(rest, values![&account_id])?;
        }
        batch.purged.accounts = 1;
    }
    Ok(batch)
}

/// The tables with few records of an account, the account last.
const REST_OF_ACCOUNT: [&str; 5] = [
    "DELETE FROM idempotency_keys WHERE account_id = $1",
    "DELETE FROM daily_statistics WHERE account_id = $1",
    "DELETE FROM brand_voice_versions WHERE voice_id IN (SELECT id FROM brand_voices WHERE account_id = $1)",
    "DELETE FROM brand_voices WHERE account_id = $1",
    "DELETE FROM accounts WHERE id = $1",
];

/// Returns the ids of some records of an owner.
fn some(session: &mut dyn Session, find: Statement<'_>, owner: &str) -> Result<Vec<String>> {
    session.rows(find, values![owner, TREES_AT_ONCE], read::text)
}

// Skips a record that another transaction holds. A later batch finds it.
const LEADS_OF_WEBSITE: Statement<'_> =
    locking!("SELECT id FROM leads WHERE website_id = $1 LIMIT $2"; "FOR UPDATE SKIP LOCKED");
const ARTICLES_OF_WEBSITE: Statement<'_> =
    locking!("SELECT id FROM articles WHERE website_id = $1 LIMIT $2"; "FOR UPDATE SKIP LOCKED");
const JOBS_OF_WEBSITE: Statement<'_> =
    locking!("SELECT id FROM jobs WHERE website_id = $1 LIMIT $2"; "FOR UPDATE SKIP LOCKED");
const EVENTS_OF_WEBSITE: Statement<'_> =
    locking!("SELECT id FROM events WHERE account_id = $1 AND website_id = $2 LIMIT $3"; "FOR UPDATE SKIP LOCKED");
const EVENTS_OF_ACCOUNT: Statement<'_> =
    locking!("SELECT id FROM events WHERE account_id = $1 LIMIT $2"; "FOR UPDATE SKIP LOCKED");

const DELETE_POSTS: Statement<'_> = Statement {
    sqlite: "DELETE FROM scheduled_posts WHERE id IN (SELECT id FROM scheduled_posts WHERE website_id = $1 LIMIT $2)",
    postgres: "DELETE FROM scheduled_posts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM scheduled_posts WHERE website_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
};

const DELETE_RESPONSES: Statement<'_> = Statement {
    sqlite: "DELETE FROM idempotency_keys WHERE (account_id, website_id, operation, key) IN (
        SELECT account_id, website_id, operation, key FROM idempotency_keys
        WHERE account_id = $1 AND website_id = $2 LIMIT $3)",
    postgres: "DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE account_id = $1 AND website_id = $2 LIMIT $3 FOR UPDATE SKIP LOCKED))",
};

const DELETE_AUDIT_ENTRIES: Statement<'_> = Statement {
    sqlite: "DELETE FROM audit_entries WHERE id IN (
        SELECT id FROM audit_entries WHERE account_id = $1 AND action <> $2 LIMIT $3)",
    postgres: "DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM audit_entries WHERE account_id = $1 AND action <> $2 LIMIT $3))",
};
