//! Signs users in by password or by one-time link, finds the session of a browser's token, and ends sessions.

use std::time::Duration;

use zeroize::Zeroizing;

use super::{App, Busy, Peer};
use crate::domain::audit::{Action, Actor};
use crate::domain::clock::Timestamp;
use crate::domain::error_chain::ErrorChain;
use crate::domain::id::{self, Kind};
use crate::domain::personal::Personal;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store::{self, Result, SessionOpening};
use crate::domain::user::{
    BearerToken, MAX_BROWSER_CHARS, SESSION_LIFETIME, Session, SignInLink, SignedIn, User, parse_email,
};

/// Minimum time between two updates of a session's last use, because each update is a write.
const SEEN_ACCURACY: Duration = Duration::from_mins(1);

/// Browser of a person who signs in.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Address that the request came from.
    pub peer: Peer,
    /// `User-Agent` of the browser.
    pub browser: Personal<String>,
    /// Token that the browser sent. If it belongs to a session, that session ends.
    pub token: BearerToken,
}

/// A new session.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Token that the browser must send from now on.
    pub token: BearerToken,
    /// True if the user has a password for the next time.
    pub has_password: bool,
}

/// Reason why signing in failed. Each message is a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The user does not exist, the password is wrong, or no password is set. The message does not say which.
    #[error("The e-mail address or the password is wrong. Check both, or ask for a one-time link.")]
    Wrong,
    /// There were too many failed attempts.
    #[error("There were too many attempts. Wait until the time shown, then try again.")]
    Locked(Timestamp),
    /// The link was used, has expired, or never existed.
    #[error("This link was used before, or it has expired. Ask for a new one.")]
    LinkInvalid,
    /// Too many passwords wait to be checked. The attempt does not count.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl App {
    /// Opens a session for the user with that e-mail address and password. Counts each attempt before checking its password, so
    /// that concurrent attempts count too.
    pub async fn sign_in(
        &self,
        email: &str,
        password: Zeroizing<String>,
        visitor: &Visitor,
    ) -> Result<NewSession, SignInError> {
        let place = self.passwords.place()?;
        // Invalid addresses have no lock: otherwise one user's typing error would lock out another user.
        let email = parse_email(email);
        let networks = visitor.peer.networks().into_iter();
        let mut subjects: Vec<_> =
            networks.map(|(network, multiple)| AttemptSubject::network(&network, multiple)).collect();
        subjects.extend(email.as_ref().map(|email| AttemptSubject::email(email)));
        if let Some(until) = self.store.count_sign_in_attempt(&subjects, self.clock.wall()).await? {
            tracing::info!(%until, "an attempt to sign in was refused, because there were too many");
            return Err(SignInError::Locked(until));
        }
        let mut users = match &email {
            Some(email) => self.store.find_users(email).await?,
            None => Vec::new(),
        };
        let hashes = users.iter().filter_map(|user| user.password_hash.clone()).collect();
        let found = place.find(password, hashes).await.ok_or(SignInError::Wrong)?;
        self.open_session(&users.swap_remove(found), visitor, None, subjects).await
    }

    /// Opens a session for the user of a one-time link, which is then used up. Does not count attempts: a token of 256 random bits
    /// cannot be guessed, and a link is the way in for users whom others have locked out.
    pub async fn sign_in_by_link(&self, link: &BearerToken, visitor: &Visitor) -> Result<NewSession, SignInError> {
        let found = self.sign_in_link(link).await?.ok_or(SignInError::LinkInvalid)?;
        self.open_session(&found.user, visitor, Some((link, &found)), Vec::new()).await
    }

    /// Returns a one-time link, if it is valid.
    pub async fn sign_in_link(&self, link: &BearerToken) -> Result<Option<SignInLink>> {
        self.store.find_sign_in_link(link.hash(), self.clock.wall()).await
    }

    async fn open_session(
        &self,
        user: &User,
        visitor: &Visitor,
        link: Option<(&BearerToken, &SignInLink)>,
        subjects: Vec<AttemptSubject>,
    ) -> Result<NewSession, SignInError> {
        let now = self.clock.wall();
        let token = BearerToken::generate(&*self.randomness);
        let is_own_link = link.is_some_and(|(_, link)| link.is_own());
        let session = Session {
            id: id::new(Kind::Session, now, &*self.randomness),
            user_id: user.id.clone(),
            browser: visitor.browser.chars().take(MAX_BROWSER_CHARS).collect::<String>().into(),
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus(SESSION_LIFETIME),
            can_reset: link.is_some() && !is_own_link,
            confirmed_at: Some(now).filter(|_| !is_own_link),
        };
        let password = user.password_hash.clone().filter(|_| link.is_none());
        let (link_hash, former) = (link.map(|(token, _)| token.hash()), visitor.token.hash());
        let opening = SessionOpening { session, token: token.hash(), former, link: link_hash, password, subjects };
        let acting = self.acting_as(Actor::User(user.email.clone()));
        let how = match link {
            Some((_, link)) => format!("by a one-time link of {}", link.made_by.as_str()),
            None => "by password".to_owned(),
        };
        let store = acting.audited(&user.account_id, (Action::SignedIn, Some(&user.id)), Some(&how));
        if !store.open_session(opening).await? {
            return Err(if link.is_some() { SignInError::LinkInvalid } else { SignInError::Wrong });
        }
        Ok(NewSession { token, has_password: user.password_hash.is_some() })
    }

    /// Returns the signed-in user of a token, if the session is valid. Reads the store at every call, so that signing out takes
    /// effect with the next request.
    pub async fn signed_in(&self, token: &BearerToken) -> Result<Option<SignedIn>> {
        let now = self.clock.wall();
        let found = self.store.find_session(token.hash()).await?;
        let Some(found) = found.filter(|found| found.session.is_live(now)) else { return Ok(None) };
        if now >= found.session.last_seen_at.plus(SEEN_ACCURACY) {
            // If the store cannot be written, reading still works.
            if let Err(error) = self.store.touch_session(&found.session.id, now).await {
                tracing::warn!(error = %ErrorChain(&error), "cannot store when a session was last used");
            }
        }
        Ok(Some(found))
    }

    /// Ends this session.
    pub async fn sign_out(&self, who: &SignedIn) -> Result<()> {
        let store = self.audited(&who.account.id, (Action::SignedOut, Some(&who.user.id)), None);
        store.end_session(&who.user.id, &who.session.id).await.map(drop)
    }

    /// Ends all sessions of the user, including this one, and all one-time links.
    pub async fn sign_out_everywhere(&self, who: &SignedIn) -> Result<()> {
        let store = self.audited(&who.account.id, (Action::SignedOutEverywhere, Some(&who.user.id)), None);
        store.end_sessions(&who.user.id).await
    }

    /// Returns the user's valid sessions, the last used first.
    pub async fn sessions(&self, who: &SignedIn) -> Result<Vec<Session>> {
        let now = self.clock.wall();
        let mut sessions = self.store.list_sessions(&who.user.id).await?;
        sessions.retain(|session| session.is_live(now));
        Ok(sessions)
    }

    /// Ends another session of the user. Returns true if it existed.
    pub async fn end_session(&self, who: &SignedIn, session_id: &str) -> Result<bool> {
        let store = self.audited(&who.account.id, (Action::SessionEnded, Some(&who.user.id)), None);
        store.end_session(&who.user.id, session_id).await
    }
}
