//! Users of the dashboard, their sessions, one-time links and failed tries to sign in.

use std::fmt;

use async_trait::async_trait;

use crate::domain::clock::Timestamp;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::user::{PasswordHash, Session, SignedIn, TokenHash, User};

use super::Result;

/// Users and how they sign in.
#[async_trait]
pub trait Users: Send + Sync + fmt::Debug {
    /// Stores a user; at most 20 in an account. [`AlreadyExists`](super::Error::AlreadyExists) when the address is taken.
    async fn create_user(&self, user: &User) -> Result<()>;
    /// The user with that e-mail address, in lower case.
    async fn find_user(&self, email: &str) -> Result<Option<User>>;
    /// The users of an account, oldest first.
    async fn list_users(&self, account_id: &str) -> Result<Vec<User>>;
    /// Removes a user with all sessions and links, unless it is the last one of the account. Returns whether it was removed.
    async fn remove_user(&self, user_id: &str) -> Result<bool>;
    /// Sets a password and ends all sessions and links of the user but the session `kept`. Returns whether there is such a user.
    async fn set_password(&self, user_id: &str, hash: &PasswordHash, kept: Option<&str>) -> Result<bool>;

    /// Counts a try to sign in for each subject, before it is known whether it succeeds. Returns until when tries are locked
    /// instead, if one of them is; then nothing is counted.
    async fn count_sign_in_attempt(&self, subjects: &[AttemptSubject], now: Timestamp) -> Result<Option<Timestamp>>;

    /// Opens a session and forgets the failed tries of `subjects`. With `link` only if that link exists and is valid, which it
    /// no longer is afterwards. Returns whether it was opened.
    async fn open_session(&self, opening: SessionOpening) -> Result<bool>;
    /// The session with that token, live or not.
    async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>>;
    /// Notes that a session was used.
    async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()>;
    /// Gives a session another token. Returns whether there is such a session.
    async fn replace_session_token(&self, session_id: &str, token: TokenHash) -> Result<bool>;
    /// The sessions of a user, the last used first.
    async fn list_sessions(&self, user_id: &str) -> Result<Vec<Session>>;
    /// Ends a session of the user. Returns whether there was one.
    async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool>;
    /// Ends all sessions of a user, and all links.
    async fn end_sessions(&self, user_id: &str) -> Result<()>;

    /// Stores a one-time link to sign in.
    async fn create_sign_in_link(&self, user_id: &str, token: TokenHash, expires_at: Timestamp) -> Result<()>;
    /// Whose link that is, if it is valid.
    async fn find_sign_in_link(&self, token: TokenHash, now: Timestamp) -> Result<Option<User>>;
}

/// A session to open.
#[derive(Debug, Clone)]
pub struct SessionOpening {
    /// The session.
    pub session: Session,
    /// Its token.
    pub token: TokenHash,
    /// The link that is used up by it.
    pub link: Option<TokenHash>,
    /// Whose failed tries are forgotten.
    pub subjects: Vec<AttemptSubject>,
}
