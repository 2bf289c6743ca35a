//! Brand DNA profiles and their versions. `websites` reads the profile of a website.

use crate::domain::store::{Error, MAX_VOICE_USES, MAX_VOICES, Result, VoiceRemoval, VoiceUse};
use crate::domain::voice::{BrandVoice, SavedVoice};

use super::accounts::lock_account;
use super::sql::{Columns, Session, read, to_json, values};
use super::store::Store;

/// The profiles of an account, each with the time and the author of its newest version.
macro_rules! saved_voices {
    () => {
        "SELECT brand_voices.profile, newest.created_at AS saved_at, newest.saved_by
         FROM brand_voices JOIN brand_voice_versions AS newest ON newest.voice_id = brand_voices.id AND newest.version =
            (SELECT max(version) FROM brand_voice_versions WHERE voice_id = brand_voices.id)
         WHERE brand_voices.account_id = $1"
    };
}

/// The versions of a profile of an account.
macro_rules! versions {
    () => {
        "SELECT version.profile, version.created_at, version.saved_by FROM brand_voice_versions AS version
         JOIN brand_voices ON brand_voices.id = version.voice_id
         WHERE brand_voices.account_id = $1 AND version.voice_id = $2"
    };
}

impl Store {
    /// Stores a new profile as version 1, or the next version of an existing one; keeps earlier versions. A new default
    /// profile replaces the account's former default. An update does not change whether a profile is the default. Returns
    /// `false` and stores nothing if the version is not the next one. Allows at most [`MAX_VOICES`] profiles per account.
    pub async fn put_voice(&self, account_id: &str, saved: &SavedVoice) -> Result<bool> {
        let (account_id, saved) = (account_id.to_owned(), saved.clone());
        self.change_exclusive(move |session| {
            lock_account(session, &account_id)?;
            let voice = &saved.profile;
            let is_next = match find_profile(session, &account_id, &voice.id)? {
                Some(former) if former.version.checked_add(1) == Some(voice.version) => {
                    let profile = BrandVoice { is_default: former.is_default, ..voice.clone() };
                    session.execute(
                        "UPDATE brand_voices SET profile = $2 WHERE id = $1",
                        values![&profile.id, &to_json(&profile)],
                    )?;
                    true
                }
                None if voice.version == 1 => {
                    insert(session, &account_id, voice)?;
                    true
                }
                _ => false,
            };
            if is_next {
                session.execute(
                    "INSERT INTO brand_voice_versions (voice_id, version, profile, created_at, saved_by)
                     VALUES ($1, $2, $3, $4, $5)",
                    values![&voice.id, voice.version, &to_json(voice), saved.saved_at, &saved.saved_by],
                )?;
            }
            Ok(is_next)
        })
        .await
    }

    /// Returns the newest version of the account's profile.
    pub async fn find_voice(&self, account_id: &str, voice_id: &str) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_few(move |session| {
            session.first(
                concat!(saved_voices!(), " AND brand_voices.id = $2"),
                values![&account_id, &voice_id],
                saved_voice,
            )
        })
        .await
    }

    /// Returns all profiles of the account, the last saved first.
    pub async fn list_voices(&self, account_id: &str) -> Result<Vec<SavedVoice>> {
        let account_id = account_id.to_owned();
        self.read_many(move |session| {
            session.rows(
                concat!(saved_voices!(), " ORDER BY saved_at DESC, brand_voices.id DESC"),
                values![&account_id],
                saved_voice,
            )
        })
        .await
    }

    /// Makes a profile the account's default. Returns true if it exists and was not the default before.
    pub async fn make_default_voice(&self, account_id: &str, voice_id: &str) -> Result<bool> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.change_exclusive(move |session| {
            lock_account(session, &account_id)?;
            let voice = find_profile(session, &account_id, &voice_id)?.filter(|voice| !voice.is_default);
            let Some(voice) = voice else { return Ok(false) };
            take_default(session, &account_id)?;
            set_default(session, voice, true)?;
            Ok(true)
        })
        .await
    }

    /// Removes a profile with its versions, unless it is in use.
    pub async fn remove_voice(&self, account_id: &str, voice_id: &str) -> Result<VoiceRemoval> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.change_exclusive(move |session| {
            lock_account(session, &account_id)?;
            let Some(voice) = find_profile(session, &account_id, &voice_id)? else { return Ok(VoiceRemoval::NotFound) };
            if voice.is_default {
                return Ok(VoiceRemoval::IsDefault);
            }
            if session.number("SELECT count(*) FROM websites WHERE brand_voice_id = $1", values![&voice_id])? > 0 {
                return Ok(VoiceRemoval::InUse);
            }
            session.execute("DELETE FROM brand_voice_versions WHERE voice_id = $1", values![&voice_id])?;
            session.execute("DELETE FROM brand_voices WHERE id = $1", values![&voice_id])?;
            Ok(VoiceRemoval::Done)
        })
        .await
    }

    /// Returns earlier versions of the account's profile, newest first.
    pub async fn list_voice_versions(
        &self,
        account_id: &str,
        voice_id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_many(move |session| {
            session.rows(
                concat!(versions!(), " AND version.version < $3 ORDER BY version.version DESC LIMIT $4"),
                values![&account_id, &voice_id, before.map_or(i64::MAX, i64::from), limit],
                saved_voice,
            )
        })
        .await
    }

    /// Returns one version of the account's profile.
    pub async fn find_voice_version(
        &self,
        account_id: &str,
        voice_id: &str,
        version: u32,
    ) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_few(move |session| {
            session.first(
                concat!(versions!(), " AND version.version = $3"),
                values![&account_id, &voice_id, version],
                saved_voice,
            )
        })
        .await
    }

    /// Returns the profiles that the account's newest websites use, at most [`MAX_VOICE_USES`].
    pub async fn list_voice_uses(&self, account_id: &str) -> Result<Vec<VoiceUse>> {
        let account_id = account_id.to_owned();
        self.read_many(move |session| {
            session.rows(
                "SELECT id, name, brand_voice_id FROM websites WHERE account_id = $1
                    ORDER BY created_at DESC, id DESC LIMIT $2",
                values![&account_id, MAX_VOICE_USES],
                |row| Ok(VoiceUse { website_id: row.text()?, website_name: row.text()?, voice_id: row.maybe_text()? }),
            )
        })
        .await
    }
}

fn insert(session: &mut dyn Session, account_id: &str, voice: &BrandVoice) -> Result<()> {
    let voices = session.number("SELECT count(*) FROM brand_voices WHERE account_id = $1", values![account_id])?;
    if usize::try_from(voices).is_ok_and(|voices| voices >= MAX_VOICES) {
        return Err(Error::LimitReached { limit: MAX_VOICES, what: "Brand DNA profiles" });
    }
    if voice.is_default {
        take_default(session, account_id)?;
    }
    session.execute(
        "INSERT INTO brand_voices (id, account_id, is_default, profile) VALUES ($1, $2, $3, $4)",
        values![&voice.id, account_id, voice.is_default, &to_json(voice)],
    )?;
    Ok(())
}

fn find_profile(session: &mut dyn Session, account_id: &str, voice_id: &str) -> Result<Option<BrandVoice>> {
    session.first(
        "SELECT profile FROM brand_voices WHERE id = $1 AND account_id = $2",
        values![voice_id, account_id],
        read::json,
    )
}

fn take_default(session: &mut dyn Session, account_id: &str) -> Result<()> {
    let former: Option<BrandVoice> = session.first(
        "SELECT profile FROM brand_voices WHERE account_id = $1 AND is_default = 1",
        values![account_id],
        read::json,
    )?;
    let Some(former) = former else { return Ok(()) };
    set_default(session, former, false)
}

/// Marks a profile as the default or not. Its versions do not contain this.
fn set_default(session: &mut dyn Session, voice: BrandVoice, is_default: bool) -> Result<()> {
    let voice = BrandVoice { is_default, ..voice };
    session.execute(
        "UPDATE brand_voices SET is_default = $2, profile = $3 WHERE id = $1",
        values![&voice.id, is_default, &to_json(&voice)],
    )?;
    Ok(())
}

fn saved_voice(row: &mut Columns<'_>) -> Result<SavedVoice> {
    Ok(SavedVoice { profile: row.json()?, saved_at: row.time()?, saved_by: row.text()?.into() })
}
