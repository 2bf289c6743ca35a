//! Proof that opens a session of a user.

use crate::domain::sign_in::AttemptSubject;
use crate::domain::user::{PasswordHash, Session, TokenHash};

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
