//! Brand DNA profiles and their versions. What a profile says is decided elsewhere.

use std::fmt;

use async_trait::async_trait;

use crate::domain::voice::SavedVoice;

use super::Result;

/// Brand DNA profiles of accounts.
#[async_trait]
pub trait Voices: Send + Sync + fmt::Debug {
    /// Stores a new profile as version 1, or the version behind the stored one, which is kept. A new default profile takes over from the
    /// account's former one; a stored one stays what it is. Returns `false`, with nothing stored, when another version is the
    /// next one. At most [`MAX_VOICES`] profiles per account.
    async fn put_voice(&self, account_id: &str, saved: &SavedVoice) -> Result<bool>;
    /// The account's profile with that id, as it was saved last.
    async fn find_voice(&self, account_id: &str, voice_id: &str) -> Result<Option<SavedVoice>>;
    /// All profiles of the account, those that were saved last first.
    async fn list_voices(&self, account_id: &str) -> Result<Vec<SavedVoice>>;
    /// Makes a profile the account's default. Returns whether it exists and was not the default before.
    async fn make_default_voice(&self, account_id: &str, voice_id: &str) -> Result<bool>;
    /// Removes a profile with its versions, unless it is in use.
    async fn remove_voice(&self, account_id: &str, voice_id: &str) -> Result<VoiceRemoval>;
    /// Versions of the account's profile before that one, newest first.
    async fn list_voice_versions(
        &self,
        account_id: &str,
        voice_id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<SavedVoice>>;
    /// One version of the account's profile.
    async fn find_voice_version(&self, account_id: &str, voice_id: &str, version: u32) -> Result<Option<SavedVoice>>;
    /// The profiles that the account's newest websites chose, at most [`MAX_VOICE_USES`].
    async fn list_voice_uses(&self, account_id: &str) -> Result<Vec<VoiceUse>>;
}

/// Most profiles of an account.
pub const MAX_VOICES: usize = 50;
/// Most websites that [`Voices::list_voice_uses`] tells.
pub const MAX_VOICE_USES: u32 = 1000;

/// What became of removing a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceRemoval {
    /// It is gone.
    Done,
    /// The account has no such profile.
    NotFound,
    /// It is the default, which websites without a choice of their own use.
    IsDefault,
    /// Websites chose it.
    InUse,
}

/// A website and the profile that it chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceUse {
    /// The website.
    pub website_id: String,
    /// Its name.
    pub website_name: String,
    /// The profile; `None` means the account's default.
    pub voice_id: Option<String>,
}
