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
    /// Sets a password, gives the session `session_id` of the user another token, ends all others with all links, and forgets the
    /// failed tries to give the former password. Returns whether there is such a user with such a session; otherwise nothing is
    /// changed.
    async fn set_password(
        &self,
        user_id: &str,
        hash: &PasswordHash,
        session_id: &str,
        token: TokenHash,
    ) -> Result<bool>;

    /// Counts a try to sign in for each subject, before it is known whether it succeeds. Returns until when tries are locked
    /// instead, if one of them is; then nothing is counted.
    async fn count_sign_in_attempt(&self, subjects: &[AttemptSubject], now: Timestamp) -> Result<Option<Timestamp>>;

    /// Opens a session, forgets the failed tries of its person and takes this try off those of its network. With `link` only if
    /// that link exists and is valid, which it no longer is afterwards; with `password` only if the user has that one. Returns
    /// whether it was opened.
    async fn open_session(&self, opening: SessionOpening) -> Result<bool>;
    /// The session with that token, live or not.
    async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>>;
    /// Notes that a session was used.
    async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()>;
    /// The sessions of a user, the last used first.
    async fn list_sessions(&self, user_id: &str) -> Result<Vec<Session>>;
    /// Ends a session of the user. Returns whether there was one.
    async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool>;
    /// Ends all sessions of a user, and all links.
    async fn end_sessions(&self, user_id: &str) -> Result<()>;

    /// Stores a one-time link to sign in, and ends the former ones of the user.
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
    /// The token that the browser had before. If it is one of a session, that ends.
    pub former: TokenHash,
    /// The link that is used up by it.
    pub link: Option<TokenHash>,
    /// The password that was given. Where the user has another one by now, nothing is opened.
    pub password: Option<PasswordHash>,
    /// Whose tries counted this one.
    pub subjects: Vec<AttemptSubject>,
}
