//! Opening a user's session.

use crate::domain::sign_in::AttemptSubject;
use crate::domain::user::{PasswordHash, Session, TokenHash};

/// A session to open.
#[derive(Debug, Clone)]
pub struct SessionOpening {
    /// The session.
    pub session: Session,
    /// Hash of its token.
    pub token: TokenHash,
    /// Hash of the browser's former token. If it belongs to a session, that session ends.
    pub former: TokenHash,
    /// Sign-in link that opening the session uses up.
    pub link: Option<TokenHash>,
    /// Password hash that was verified. If the user's password has changed since, no session is opened.
    pub password: Option<PasswordHash>,
    /// Subjects whose attempt counters included this attempt.
    pub subjects: Vec<AttemptSubject>,
}
