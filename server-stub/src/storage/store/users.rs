//! [`Users`] on a database.

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store::{Result, SessionOpening, Users};
use crate::domain::user::{PasswordHash, Session, SignedIn, TokenHash, User};
use crate::storage::backend::Backend;
use crate::storage::statements::users;

use super::SqlStore;

#[async_trait]
impl<B: Backend> Users for SqlStore<B> {
    async fn create_user(&self, user: &User) -> Result<()> {
        let user = user.clone();
        self.write(move |session| users::insert(session, &user)).await
    }

    async fn find_user(&self, email: &str) -> Result<Option<User>> {
        let email = email.to_owned();
        self.backend.read_few(move |session| users::find(session, &email)).await
    }

    async fn list_users(&self, account_id: &str) -> Result<Vec<User>> {
        let account_id = account_id.to_owned();
        self.backend.read_few(move |session| users::list(session, &account_id)).await
    }

    async fn remove_user(&self, user_id: &str) -> Result<bool> {
        let user_id = user_id.to_owned();
        self.write_alone(move |session| users::remove(session, &user_id)).await
    }

    async fn set_password(
        &self,
        user_id: &str,
        hash: &PasswordHash,
        session_id: &str,
        token: TokenHash,
    ) -> Result<bool> {
        let (user_id, hash, session_id) = (user_id.to_owned(), hash.clone(), session_id.to_owned());
        self.write_alone(move |session| users::set_password(session, &user_id, &hash, &session_id, token)).await
    }

    async fn count_sign_in_attempt(&self, subjects: &[AttemptSubject], now: Timestamp) -> Result<Option<Timestamp>> {
        let subjects = subjects.to_vec();
        self.backend.write_alone(move |session| users::count_attempt(session, &subjects, now)).await
    }

    async fn open_session(&self, opening: SessionOpening) -> Result<bool> {
        self.write_alone(move |session| users::open_session(session, &opening)).await
    }

    async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>> {
        self.backend.read_few(move |session| users::find_session(session, token)).await
    }

    async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()> {
        let session_id = session_id.to_owned();
        self.backend.write_alone(move |session| users::touch_session(session, &session_id, now)).await
    }

    async fn list_sessions(&self, user_id: &str) -> Result<Vec<Session>> {
        let user_id = user_id.to_owned();
        self.backend.read_few(move |session| users::list_sessions(session, &user_id)).await
    }

    async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool> {
        let (user_id, session_id) = (user_id.to_owned(), session_id.to_owned());
        self.write_alone(move |session| users::end_session(session, &user_id, &session_id)).await
    }

    async fn end_sessions(&self, user_id: &str) -> Result<()> {
        let user_id = user_id.to_owned();
        self.write_alone(move |session| users::end_sessions(session, &user_id)).await
    }

    async fn create_sign_in_link(&self, user_id: &str, token: TokenHash, expires_at: Timestamp) -> Result<()> {
        let user_id = user_id.to_owned();
        self.write(move |session| users::insert_link(session, &user_id, token, expires_at)).await
    }

    async fn find_sign_in_link(&self, token: TokenHash, now: Timestamp) -> Result<Option<User>> {
        self.backend.read_few(move |session| users::find_link(session, token, now)).await
    }
}
