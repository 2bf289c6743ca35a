//! [`Users`] on a database.

use crate::domain::clock::Timestamp;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store::{Result, SessionOpening};
use crate::domain::user::{PasswordHash, Session, SignedIn, TokenHash, User};
use crate::storage::statements::users;

use super::store::Store;

impl Store {
    /// Stores a user; at most 20 in an account. [`AlreadyExists`](crate::domain::store::Error::AlreadyExists) when the address is taken.
    pub async fn create_user(&self, user: &User) -> Result<()> {
        let user = user.clone();
        self.change(move |session| users::insert(session, &user)).await
    }

    /// The user with that e-mail address, in lower case.
    pub async fn find_user(&self, email: &str) -> Result<Option<User>> {
        let email = email.to_owned();
        self.read_few(move |session| users::find(session, &email)).await
    }

    /// The users of an account, oldest first.
    pub async fn list_users(&self, account_id: &str) -> Result<Vec<User>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| users::list(session, &account_id)).await
    }

    /// Removes a user with all sessions and links, unless it is the last one of the account. Returns whether it was removed.
    pub async fn remove_user(&self, user_id: &str) -> Result<bool> {
        let user_id = user_id.to_owned();
        self.change_alone(move |session| users::remove(session, &user_id)).await
    }

    /// Sets a password, gives the session `session_id` of the user another token, ends all others with all links, and forgets the
    /// failed tries to give the former password. Returns whether there is such a user with such a session; otherwise nothing is
    /// changed.
    pub async fn set_password(
        &self,
        user_id: &str,
        hash: &PasswordHash,
        session_id: &str,
        token: TokenHash,
    ) -> Result<bool> {
        let (user_id, hash, session_id) = (user_id.to_owned(), hash.clone(), session_id.to_owned());
        self.change_alone(move |session| users::set_password(session, &user_id, &hash, &session_id, token)).await
    }

    /// Counts a try to sign in for each subject, before it is known whether it succeeds. Returns until when tries are locked
    /// instead, if one of them is; then nothing is counted.
    pub async fn count_sign_in_attempt(
        &self,
        subjects: &[AttemptSubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let subjects = subjects.to_vec();
        self.write_alone(move |session| users::count_attempt(session, &subjects, now)).await
    }

    /// Opens a session, forgets the failed tries of its person and takes this try off those of its network. With `link` only if
    /// that link exists and is valid, which it no longer is afterwards; with `password` only if the user has that one. Returns
    /// whether it was opened.
    pub async fn open_session(&self, opening: SessionOpening) -> Result<bool> {
        self.change_alone(move |session| users::open_session(session, &opening)).await
    }

    /// The session with that token, live or not.
    pub async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>> {
        self.read_few(move |session| users::find_session(session, token)).await
    }

    /// Notes that a session was used.
    pub async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()> {
        let session_id = session_id.to_owned();
        self.write_alone(move |session| users::touch_session(session, &session_id, now)).await
    }

    /// The sessions of a user, the last used first.
    pub async fn list_sessions(&self, user_id: &str) -> Result<Vec<Session>> {
        let user_id = user_id.to_owned();
        self.read_few(move |session| users::list_sessions(session, &user_id)).await
    }

    /// Ends a session of the user. Returns whether there was one.
    pub async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool> {
        let (user_id, session_id) = (user_id.to_owned(), session_id.to_owned());
        self.change_alone(move |session| users::end_session(session, &user_id, &session_id)).await
    }

    /// Ends all sessions of a user, and all links.
    pub async fn end_sessions(&self, user_id: &str) -> Result<()> {
        let user_id = user_id.to_owned();
        self.change_alone(move |session| users::end_sessions(session, &user_id)).await
    }

    /// Stores a one-time link to sign in, and ends the former ones of the user.
    pub async fn create_sign_in_link(&self, user_id: &str, token: TokenHash, expires_at: Timestamp) -> Result<()> {
        let user_id = user_id.to_owned();
        self.change(move |session| users::insert_link(session, &user_id, token, expires_at)).await
    }

    /// Whose link that is, if it is valid.
    pub async fn find_sign_in_link(&self, token: TokenHash, now: Timestamp) -> Result<Option<User>> {
        self.read_few(move |session| users::find_link(session, token, now)).await
    }
}
