//! [`Voices`] on a database.

use crate::domain::store::{Result, VoiceRemoval, VoiceUse};
use crate::domain::voice::SavedVoice;
use crate::storage::statements::voices;

use super::store::Store;

impl Store {
    /// Stores a new profile as version 1, or the version behind the stored one, which is kept. A new default profile takes over from the
    /// account's former one; a stored one stays what it is. Returns `false`, with nothing stored, when another version is the
    /// next one. At most [`MAX_VOICES`] profiles per account.
    pub async fn put_voice(&self, account_id: &str, saved: &SavedVoice) -> Result<bool> {
        let (account_id, saved) = (account_id.to_owned(), saved.clone());
        self.change_alone(move |session| voices::put(session, &account_id, &saved)).await
    }

    /// The account's profile with that id, as it was saved last.
    pub async fn find_voice(&self, account_id: &str, voice_id: &str) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_few(move |session| voices::find(session, &account_id, &voice_id)).await
    }

    /// All profiles of the account, those that were saved last first.
    pub async fn list_voices(&self, account_id: &str) -> Result<Vec<SavedVoice>> {
        let account_id = account_id.to_owned();
        self.read_many(move |session| voices::list(session, &account_id)).await
    }

    /// Makes a profile the account's default. Returns whether it exists and was not the default before.
    pub async fn make_default_voice(&self, account_id: &str, voice_id: &str) -> Result<bool> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.change_alone(move |session| voices::make_default(session, &account_id, &voice_id)).await
    }

    /// Removes a profile with its versions, unless it is in use.
    pub async fn remove_voice(&self, account_id: &str, voice_id: &str) -> Result<VoiceRemoval> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.change_alone(move |session| voices::remove(session, &account_id, &voice_id)).await
    }

    /// Versions of the account's profile before that one, newest first.
    pub async fn list_voice_versions(
        &self,
        account_id: &str,
        voice_id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_many(move |session| voices::list_versions(session, &account_id, &voice_id, before, limit)).await
    }

    /// One version of the account's profile.
    pub async fn find_voice_version(
        &self,
        account_id: &str,
        voice_id: &str,
        version: u32,
    ) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.read_few(move |session| voices::find_version(session, &account_id, &voice_id, version)).await
    }

    /// The profiles that the account's newest websites chose, at most [`MAX_VOICE_USES`].
    pub async fn list_voice_uses(&self, account_id: &str) -> Result<Vec<VoiceUse>> {
        let account_id = account_id.to_owned();
        self.read_many(move |session| voices::uses(session, &account_id)).await
    }
}
