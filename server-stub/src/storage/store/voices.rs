//! [`Voices`] on a database.

use async_trait::async_trait;

use crate::domain::store::{Result, VoiceRemoval, VoiceUse, Voices};
use crate::domain::voice::SavedVoice;
use crate::storage::backend::Backend;
use crate::storage::statements::voices;

use super::SqlStore;

#[async_trait]
impl<B: Backend> Voices for SqlStore<B> {
    async fn put_voice(&self, account_id: &str, saved: &SavedVoice) -> Result<bool> {
        let (account_id, saved) = (account_id.to_owned(), saved.clone());
        self.write_alone(move |session| voices::put(session, &account_id, &saved)).await
    }

    async fn find_voice(&self, account_id: &str, voice_id: &str) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.backend.read_few(move |session| voices::find(session, &account_id, &voice_id)).await
    }

    async fn list_voices(&self, account_id: &str) -> Result<Vec<SavedVoice>> {
        let account_id = account_id.to_owned();
        self.backend.read_many(move |session| voices::list(session, &account_id)).await
    }

    async fn make_default_voice(&self, account_id: &str, voice_id: &str) -> Result<bool> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.write_alone(move |session| voices::make_default(session, &account_id, &voice_id)).await
    }

    async fn remove_voice(&self, account_id: &str, voice_id: &str) -> Result<VoiceRemoval> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.write_alone(move |session| voices::remove(session, &account_id, &voice_id)).await
    }

    async fn list_voice_versions(
        &self,
        account_id: &str,
        voice_id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.backend
            .read_many(move |session| voices::list_versions(session, &account_id, &voice_id, before, limit))
            .await
    }

    async fn find_voice_version(&self, account_id: &str, voice_id: &str, version: u32) -> Result<Option<SavedVoice>> {
        let (account_id, voice_id) = (account_id.to_owned(), voice_id.to_owned());
        self.backend.read_few(move |session| voices::find_version(session, &account_id, &voice_id, version)).await
    }

    async fn list_voice_uses(&self, account_id: &str) -> Result<Vec<VoiceUse>> {
        let account_id = account_id.to_owned();
        self.backend.read_many(move |session| voices::uses(session, &account_id)).await
    }
}
