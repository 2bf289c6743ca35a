//! Websites with their voices.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use crate::domain::account::{MAX_WEBSITES, Website, WebsiteStatus};
use crate::domain::clock::Timestamp;
use crate::domain::lead_form::{
    DEFAULT_CONSENT_TEXT, FORMER_CONSENT_TEXT_VALID_FOR, LeadForm, MAX_FORMER_CONSENT_TEXTS,
};
use crate::domain::publishing_slots::PublishingSlots;
use crate::domain::store::{Error, Result};
use crate::domain::voice::BrandVoice;

use super::accounts::lock_account;
use super::set_aside::{Unreadable, read_row};
use super::sql::{BatchStatement, Columns, Session, Statement, locking, read, to_json, values};
use super::store::Store;

/// The columns of a website in the order in which [`website`] reads them.
macro_rules! website_columns {
    () => {
        "id, account_id, status, name, url, language, time_zone, auto_publish, publishing_slots, brand_voice_id,
            lead_retention, target_word_count, consent_text, privacy_url, double_opt_in, pages_at_url, full_text_feed,
            created_at, updated_at"
    };
}
pub(super) use website_columns;

impl Store {
    /// Stores a website. Returns [`LimitReached`](Error::LimitReached) if the account has [`MAX_WEBSITES`] of them.
    pub async fn create_website(&self, website: &Website) -> Result<()> {
        let website = website.clone();
        self.change_exclusive(move |session| {
            lock_account(session, &website.account_id)?;
            let websites = session.number(
                "SELECT count(*) FROM websites WHERE account_id = $1 AND deleted_at IS NULL",
                values![&website.account_id],
            )?;
            if websites >= i64::from(MAX_WEBSITES) {
                return Err(Error::LimitReached { limit: MAX_WEBSITES as usize, what: "websites" });
            }
            session.execute(
                "INSERT INTO websites (id, account_id, status, name, url, language, time_zone,
                    auto_publish, brand_voice_id,
                    lead_retention, target_word_count, consent_text, privacy_url, double_opt_in,
                       created_at, updated_at,
                    publishing_slots, pages_at_url, full_text_feed)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
                values![
                    &website.website_id,
                    &website.account_id,
                    website.status.as_str(),
                    &website.name,
                    &website.url,
                    &website.language,
                    &website.time_zone,
                    website.auto_publish,
                    &website.brand_voice_id,
                    website.lead_retention.map(millis),
                    website.target_word_count,
                    &website.lead_form.consent_text,
                    &website.lead_form.privacy_url,
                    website.lead_form.double_opt_in,
                    website.created_at,
                    website.updated_at,
                    slots_json(&website.publishing_slots).as_ref(),
                    website.pages_at_url,
                    website.full_text_feed,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Replaces the settings of a website of its account, but not its state. Returns true if the stored website has the settings
    /// of `former`.
    pub async fn update_website(&self, former: &Website, website: &Website) -> Result<bool> {
        let (former, website) = (former.clone(), website.clone());
        self.change_exclusive(move |session| {
            session.first(LOCK_WEBSITE, values![&website.website_id], maybe_text)?;
            let Some(stored) = find_website(session, &website.website_id)? else { return Ok(false) };
            if former != (Website { status: former.status, updated_at: former.updated_at, ..stored }) {
                return Ok(false);
            }
            let form = &website.lead_form;
            keep_former_consent_text(session, &website.website_id, form.consent_text.as_deref(), website.updated_at)?;
            let changed = session.execute(
                "UPDATE websites SET name = $2, url = $3, language = $4, time_zone = $5,
                    auto_publish = $6, brand_voice_id = $7,
                    lead_retention = $8, target_word_count = $9, consent_text = $10, privacy_url = $11,
                    double_opt_in = $12, updated_at = CASE WHEN updated_at > $13 THEN updated_at ELSE $13 END,
                    publishing_slots = $15, pages_at_url = $16, full_text_feed = $17
                 WHERE id = $1 AND account_id = $14",
                values![
                    &website.website_id,
                    &website.name,
                    &website.url,
                    &website.language,
                    &website.time_zone,
                    website.auto_publish,
                    &website.brand_voice_id,
                    website.lead_retention.map(millis),
                    website.target_word_count,
                    &form.consent_text,
                    &form.privacy_url,
                    form.double_opt_in,
                    website.updated_at,
                    &website.account_id,
                    slots_json(&website.publishing_slots).as_ref(),
                    website.pages_at_url,
                    website.full_text_feed,
                ],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Sets the state of a website. Returns true if the website exists.
    pub async fn set_website_status(&self, website_id: &str, status: WebsiteStatus, now: Timestamp) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.change_exclusive(move |session| {
            let changed = session.execute(
                "UPDATE websites SET status = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
                 WHERE id = $1 AND deleted_at IS NULL",
                values![&website_id, status.as_str(), now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Returns the website of any account.
    pub async fn find_website(&self, website_id: &str) -> Result<Option<Website>> {
        let website_id = website_id.to_owned();
        self.read_few(move |session| find_website(session, &website_id)).await
    }

    /// Returns the website with its voice.
    pub async fn find_website_with_voice(&self, website_id: &str) -> Result<Option<(Website, BrandVoice)>> {
        let website_id = website_id.to_owned();
        self.read_few(move |session| {
            let found = websites_with_voices(session, std::iter::once(website_id.as_str()))?.remove(&website_id);
            found.transpose().map_err(|unreadable| Error::Broken(unreadable.reason.into()))
        })
        .await
    }

    /// Returns the website, and the time of the latest change of an article that its site shows or has shown.
    pub async fn find_site(&self, website_id: &str) -> Result<Option<(Website, Option<Timestamp>)>> {
        let website_id = website_id.to_owned();
        self.read_few(move |session| {
            let changed_at = session.first(
                "SELECT max(updated_at) FROM articles WHERE website_id = $1 AND is_hosted IS NOT NULL",
                values![&website_id],
                read::maybe_time,
            )?;
            Ok(find_website(session, &website_id)?.map(|website| (website, changed_at.flatten())))
        })
        .await
    }

    /// Sets how the pages and the feed of a website's hosted site are shown; `None` keeps a setting. Returns true if the website
    /// exists.
    pub async fn set_site(
        &self,
        website_id: &str,
        (pages_at_url, full_text_feed): (Option<bool>, Option<bool>),
        now: Timestamp,
    ) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.change_exclusive(move |session| {
            let changed = session.execute(
                "UPDATE websites SET pages_at_url = COALESCE($2, pages_at_url), full_text_feed = COALESCE($3, full_text_feed),
                    updated_at = CASE WHEN updated_at > $4 THEN updated_at ELSE $4 END
                 WHERE id = $1 AND deleted_at IS NULL",
                values![&website_id, pages_at_url, full_text_feed, now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Sets the publishing slots of a website. Scheduled posts keep their times. Returns true if the website exists.
    pub async fn set_publishing_slots(
        &self,
        website_id: &str,
        slots: &PublishingSlots,
        now: Timestamp,
    ) -> Result<bool> {
        let (website_id, slots) = (website_id.to_owned(), slots.clone());
        self.change_exclusive(move |session| {
            let changed = session.execute(
                "UPDATE websites SET publishing_slots = $2,
                    updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
                 WHERE id = $1 AND deleted_at IS NULL",
                values![&website_id, slots_json(&slots).as_ref(), now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Sets the retention of a website's leads; `None` keeps them for ever. Returns true if the website exists.
    pub async fn set_lead_retention(&self, website_id: &str, retention: Option<Duration>) -> Result<bool> {
        let website_id = website_id.to_owned();
        self.change(move |session| {
            let changed = session.execute(
                "UPDATE websites SET lead_retention = $2 WHERE id = $1 AND deleted_at IS NULL",
                values![&website_id, retention.map(millis)],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Sets the lead form of a website. Returns true if the website exists.
    pub async fn set_lead_form(&self, website_id: &str, form: &LeadForm, now: Timestamp) -> Result<bool> {
        let (website_id, form) = (website_id.to_owned(), form.clone());
        self.change_exclusive(move |session| {
            keep_former_consent_text(session, &website_id, form.consent_text.as_deref(), now)?;
            let changed = session.execute(
                "UPDATE websites SET consent_text = $2, privacy_url = $3, double_opt_in = $4,
                    updated_at = CASE WHEN updated_at > $5 THEN updated_at ELSE $5 END
                 WHERE id = $1 AND deleted_at IS NULL",
                values![&website_id, &form.consent_text, &form.privacy_url, form.double_opt_in, now],
            )?;
            Ok(changed > 0)
        })
        .await
    }

    /// Returns true if the website had that consent text at `since` or later, and has a different one now.
    pub async fn is_former_consent_text(&self, website_id: &str, text: &str, since: Timestamp) -> Result<bool> {
        let (website_id, text) = (website_id.to_owned(), text.to_owned());
        let read = move |session: &mut dyn Session| {
            session.exists(
                "SELECT 1 FROM former_consent_texts WHERE website_id = $1 AND replaced_at >= $2 AND text = $3 LIMIT 1",
                values![&website_id, since, &text],
            )
        };
        self.read_few(read).await
    }
}

/// Stores the consent text that `next` replaces, because open forms may still show it. Deletes stored texts that are too old or
/// too many.
fn keep_former_consent_text(
    session: &mut dyn Session,
    website_id: &str,
    next: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let former = session.first(LOCK_WEBSITE, values![website_id], maybe_text)?;
    let Some(former) = former.filter(|former| former.as_deref() != next) else { return Ok(()) };
    session.execute(
        "DELETE FROM former_consent_texts WHERE website_id = $1 AND (replaced_at < $2 OR replaced_at <=
            (SELECT replaced_at FROM former_consent_texts WHERE website_id = $1
             ORDER BY replaced_at DESC LIMIT 1 OFFSET $3))",
        values![website_id, now.minus(FORMER_CONSENT_TEXT_VALID_FOR), MAX_FORMER_CONSENT_TEXTS - 1],
    )?;
    session.execute(
        "INSERT INTO former_consent_texts (website_id, text, replaced_at) VALUES ($1, $2, $3)",
        values![website_id, former.as_deref().unwrap_or(DEFAULT_CONSENT_TEXT), now],
    )?;
    Ok(())
}

const LOCK_WEBSITE: Statement<'_> =
    locking!("SELECT consent_text FROM websites WHERE id = $1 AND deleted_at IS NULL"; "FOR UPDATE");

fn maybe_text(row: &mut Columns<'_>) -> Result<Option<String>> {
    row.maybe_text()
}

/// Returns the JSON of the slots; `None` for no slots, so that queries for slots read few websites.
fn slots_json(slots: &PublishingSlots) -> Option<String> {
    (!slots.is_empty()).then(|| to_json(slots))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

pub(super) fn find_website(session: &mut dyn Session, website_id: &str) -> Result<Option<Website>> {
    session.first(
        concat!("SELECT ", website_columns!(), " FROM websites WHERE id = $1 AND deleted_at IS NULL"),
        values![website_id],
        website,
    )
}

/// Reads the columns of `website_columns`.
pub(super) fn website(row: &mut Columns<'_>) -> Result<Website> {
    Ok(Website {
        website_id: row.text()?,
        account_id: row.text()?,
        status: row.named(WebsiteStatus::parse)?,
        name: row.text()?,
        url: row.text()?,
        language: row.text()?,
        time_zone: row.text()?,
        auto_publish: row.flag()?,
        publishing_slots: row.maybe_json()?.unwrap_or_default(),
        brand_voice_id: row.maybe_text()?,
        lead_retention: row.maybe_number()?.map(Duration::from_millis),
        target_word_count: row.maybe_number()?,
        lead_form: LeadForm {
            consent_text: row.maybe_text()?,
            privacy_url: row.maybe_text()?,
            double_opt_in: row.flag()?,
        },
        pages_at_url: row.flag()?,
        full_text_feed: row.flag()?,
        created_at: row.time()?,
        updated_at: row.time()?,
    })
}

const FIND_WEBSITES: BatchStatement = BatchStatement {
    sqlite_each: concat!("SELECT ", website_columns!(), " FROM websites WHERE id = $1"),
    postgres_all: concat!(
        "SELECT input.number, ",
        website_columns!(),
        " FROM unnest($1::text[]) WITH ORDINALITY AS input (website_id, number)
         JOIN websites ON websites.id = input.website_id
         ORDER BY input.number"
    ),
};

/// Finds the website's voice, or else the account's default.
const FIND_VOICES: BatchStatement = BatchStatement {
    sqlite_each: "SELECT profile FROM brand_voices WHERE account_id = $1 AND (id = $2 OR is_default = 1)
         ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END LIMIT 1",
    postgres_all: "SELECT input.number, voice.profile
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (account_id, voice_id, number)
         CROSS JOIN LATERAL
            (SELECT profile FROM brand_voices
             WHERE brand_voices.account_id = input.account_id AND (id = input.voice_id OR is_default = 1)
             ORDER BY CASE WHEN id = input.voice_id THEN 0 ELSE 1 END LIMIT 1) AS voice
         ORDER BY input.number",
};

/// Websites by their ids, each with its voice, or the reason why it cannot be read.
pub(super) type WebsitesWithVoices = HashMap<String, Result<(Website, BrandVoice), Unreadable>>;

/// Returns the websites with those ids, each with its voice: the website's, or else the account's default, or else the built-in
/// one. Unreadable websites and voices have a reason instead.
pub(super) fn websites_with_voices<'a>(
    session: &mut dyn Session,
    website_ids: impl Iterator<Item = &'a str>,
) -> Result<WebsitesWithVoices> {
    let website_ids: Vec<_> = website_ids.collect::<BTreeSet<_>>().into_iter().collect();
    let inputs: Vec<_> = website_ids.iter().map(|website_id| values![*website_id].to_vec()).collect();
    let (mut readable, mut found) = (Vec::new(), HashMap::new());
    session.query_batch(&FIND_WEBSITES, &inputs, &mut |number, row| {
        let website_id = website_ids[number];
        match read_row(website_id, website(row))? {
            Ok(website) => readable.push(website),
            Err(unreadable) => drop(found.insert(website_id.to_owned(), Err(unreadable))),
        }
        Ok(())
    })?;
    let inputs: Vec<_> = readable.iter().map(|one| values![&one.account_id, &one.brand_voice_id].to_vec()).collect();
    let mut voices: Vec<_> = readable.iter().map(|_| Ok(BrandVoice::default())).collect();
    session.query_batch(&FIND_VOICES, &inputs, &mut |number, row| {
        voices[number] = read_row(&readable[number].website_id, read::json(row))?;
        Ok(())
    })?;
    let id = |website: &Website| website.website_id.clone();
    found.extend(readable.into_iter().zip(voices).map(|(one, voice)| (id(&one), voice.map(|voice| (one, voice)))));
    Ok(found)
}
