//! Signing in: by password, or by a one-time link.

use zeroize::Zeroizing;

use super::super::peer::Peer;
use super::super::service::App;
use crate::domain::audit::{Action, Actor};
use crate::domain::clock::Timestamp;
use crate::domain::id::{self, Kind};
use crate::domain::personal::Personal;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store::{self, SessionOpening};
use crate::domain::user::{BearerToken, MAX_BROWSER_CHARS, SESSION_LIFETIME, Session, User, parse_email};

/// Who wants to sign in, as far as it is known.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Where the request came from.
    pub peer: Peer,
    /// What the browser calls itself.
    pub browser: Personal<String>,
    /// What the browser sent so far. If that is a session, it ends.
    pub token: BearerToken,
}

/// A session that was just opened.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// What the browser has to send from now on.
    pub token: BearerToken,
    /// Whether the user has a password to sign in with the next time.
    pub has_password: bool,
}

/// Why nobody was signed in; each is a sentence for the person who tried.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// There is no such user, the password is wrong, or none is set; which of these is not told.
    #[error("The e-mail address or the password is wrong. Check both, or ask for a one-time link.")]
    Wrong,
    /// There were too many failures.
    #[error("There were too many attempts. Wait until the time shown, then try again.")]
    Locked(Timestamp),
    /// The link was used, has expired, or never existed.
    #[error("This link was used before, or it has expired. Ask for a new one.")]
    LinkInvalid,
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl App {
    /// Opens a session for the user with that e-mail address and password. Each try counts before its password is checked, so
    /// that tries at the same time count, too.
    pub async fn sign_in(
        &self,
        email: &str,
        password: Zeroizing<String>,
        visitor: &Visitor,
    ) -> Result<NewSession, SignInError> {
        // What is no address has no lock of its own, or what one person mistyped would lock out another.
        let email = parse_email(email);
        let mut subjects = vec![AttemptSubject::network(&visitor.peer.network())];
        subjects.extend(email.as_ref().map(|email| AttemptSubject::email(email)));
        if let Some(until) = self.store.count_sign_in_attempt(&subjects, self.clock.wall()).await? {
            tracing::info!(%until, "an attempt to sign in was refused, because there were too many");
            return Err(SignInError::Locked(until));
        }
        let user = match &email {
            Some(email) => self.store.find_user(email).await?,
            None => None,
        };
        let hash = user.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.passwords.verify(password, hash).await;
        let user = user.filter(|_| is_right).ok_or(SignInError::Wrong)?;
        self.open_session(&user, visitor, None, subjects).await
    }

    /// Opens a session for the user of a one-time link, which is used up by it. Tries are not counted: nobody guesses 256 random
    /// bits, and a link is the way in for whom others have locked out.
    pub async fn sign_in_by_link(&self, link: &BearerToken, visitor: &Visitor) -> Result<NewSession, SignInError> {
        let user = self.user_of_link(link).await?.ok_or(SignInError::LinkInvalid)?;
        self.open_session(&user, visitor, Some(link), Vec::new()).await
    }

    /// Whose one-time link that is, if it is valid.
    pub async fn user_of_link(&self, link: &BearerToken) -> store::Result<Option<User>> {
        self.store.find_sign_in_link(link.hash(), self.clock.wall()).await
    }

    async fn open_session(
        &self,
        user: &User,
        visitor: &Visitor,
        link: Option<&BearerToken>,
        subjects: Vec<AttemptSubject>,
    ) -> Result<NewSession, SignInError> {
        let now = self.clock.wall();
        let token = BearerToken::generate(&*self.randomness);
        let session = Session {
            id: id::new(Kind::Session, now, &*self.randomness),
            user_id: user.id.clone(),
            browser: visitor.browser.chars().take(MAX_BROWSER_CHARS).collect::<String>().into(),
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus(SESSION_LIFETIME),
            is_by_link: link.is_some(),
        };
        let password = user.password_hash.clone().filter(|_| link.is_none());
        let (link_hash, former) = (link.map(BearerToken::hash), visitor.token.hash());
        let opening = SessionOpening { session, token: token.hash(), former, link: link_hash, password, subjects };
        let acting = self.acting_as(Actor::User(user.email.clone()));
        let how = if link.is_some() { "by a one-time link" } else { "by password" };
        let store = acting.audited(&user.account_id, (Action::SignedIn, Some(&user.id)), Some(how));
        if !store.open_session(opening).await? {
            return Err(if link.is_some() { SignInError::LinkInvalid } else { SignInError::Wrong });
        }
        Ok(NewSession { token, has_password: user.password_hash.is_some() })
    }
}
