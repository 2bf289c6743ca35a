//! The parts of a watched store that only the dashboard uses: they are the real store's.

use std::sync::Arc;

use async_trait::async_trait;
use contentgen_server_stub::domain::audit::AuditEntry;
use contentgen_server_stub::domain::clock::Timestamp;

use contentgen_server_stub::domain::sign_in::AttemptSubject;
use contentgen_server_stub::domain::store::{
    AuditFilter, AuditTrail, CountedDays, DayCounts, ExpiringKey, FirstSteps, PageRequest, Result, SessionOpening,
    StalledWebsite, Statistics, Store, Users, VoiceRemoval, VoiceUse, Voices,
};
use contentgen_server_stub::domain::user::{PasswordHash, Session, SignedIn, TokenHash, User};
use contentgen_server_stub::domain::voice::SavedVoice;

use super::Wrapped;

#[async_trait]
impl Voices for Wrapped {
    async fn put_voice(&self, account_id: &str, saved: &SavedVoice) -> Result<bool> {
        self.store.put_voice(account_id, saved).await
    }

    async fn find_voice(&self, account_id: &str, voice_id: &str) -> Result<Option<SavedVoice>> {
        self.store.find_voice(account_id, voice_id).await
    }

    async fn list_voices(&self, account_id: &str) -> Result<Vec<SavedVoice>> {
        self.store.list_voices(account_id).await
    }

    async fn make_default_voice(&self, account_id: &str, voice_id: &str) -> Result<bool> {
        self.store.make_default_voice(account_id, voice_id).await
    }

    async fn remove_voice(&self, account_id: &str, voice_id: &str) -> Result<VoiceRemoval> {
        self.store.remove_voice(account_id, voice_id).await
    }

    async fn list_voice_versions(
        &self,
        account_id: &str,
        voice_id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<SavedVoice>> {
        self.store.list_voice_versions(account_id, voice_id, before, limit).await
    }

    async fn find_voice_version(&self, account_id: &str, voice_id: &str, version: u32) -> Result<Option<SavedVoice>> {
        self.store.find_voice_version(account_id, voice_id, version).await
    }

    async fn list_voice_uses(&self, account_id: &str) -> Result<Vec<VoiceUse>> {
        self.store.list_voice_uses(account_id).await
    }
}

#[async_trait]
impl AuditTrail for Wrapped {
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store> {
        self.store.audited(entry)
    }

    async fn append_audit_entry(&self, entry: &AuditEntry) -> Result<()> {
        self.store.append_audit_entry(entry).await
    }

    async fn list_audit_entries(
        &self,
        account_id: &str,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Vec<AuditEntry>> {
        self.store.list_audit_entries(account_id, filter, page).await
    }
}

#[async_trait]
impl Users for Wrapped {
    async fn create_user(&self, user: &User) -> Result<()> {
        self.store.create_user(user).await
    }

    async fn find_user(&self, email: &str) -> Result<Option<User>> {
        self.store.find_user(email).await
    }

    async fn list_users(&self, account_id: &str) -> Result<Vec<User>> {
        self.store.list_users(account_id).await
    }

    async fn remove_user(&self, user_id: &str) -> Result<bool> {
        self.store.remove_user(user_id).await
    }

    async fn set_password(
        &self,
        user_id: &str,
        hash: &PasswordHash,
        session_id: &str,
        token: TokenHash,
    ) -> Result<bool> {
        self.store.set_password(user_id, hash, session_id, token).await
    }

    async fn count_sign_in_attempt(&self, subjects: &[AttemptSubject], now: Timestamp) -> Result<Option<Timestamp>> {
        self.store.count_sign_in_attempt(subjects, now).await
    }

    async fn open_session(&self, opening: SessionOpening) -> Result<bool> {
        self.store.open_session(opening).await
    }

    async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>> {
        self.store.find_session(token).await
    }

    async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()> {
        self.store.touch_session(session_id, now).await
    }

    async fn list_sessions(&self, user_id: &str) -> Result<Vec<Session>> {
        self.store.list_sessions(user_id).await
    }

    async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool> {
        self.store.end_session(user_id, session_id).await
    }

    async fn end_sessions(&self, user_id: &str) -> Result<()> {
        self.store.end_sessions(user_id).await
    }

    async fn create_sign_in_link(&self, user_id: &str, token: TokenHash, expires_at: Timestamp) -> Result<()> {
        self.store.create_sign_in_link(user_id, token, expires_at).await
    }

    async fn find_sign_in_link(&self, token: TokenHash, now: Timestamp) -> Result<Option<User>> {
        self.store.find_sign_in_link(token, now).await
    }
}

#[async_trait]
impl Statistics for Wrapped {
    async fn daily_counts(&self, account_id: &str, days: CountedDays) -> Result<Vec<DayCounts>> {
        self.store.daily_counts(account_id, days).await
    }

    async fn first_steps(&self, account_id: &str) -> Result<FirstSteps> {
        self.store.first_steps(account_id).await
    }

    async fn expiring_keys(&self, account_id: &str, now: Timestamp, until: Timestamp) -> Result<Vec<ExpiringKey>> {
        self.store.expiring_keys(account_id, now, until).await
    }

    async fn stalled_websites(&self, account_id: &str) -> Result<Vec<StalledWebsite>> {
        self.store.stalled_websites(account_id).await
    }
}
