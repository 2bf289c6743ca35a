//! Sessions of users: finding the one that a browser carries, and ending them.

use std::time::Duration;

use super::super::service::App;
use crate::domain::audit::Action;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::Result;
use crate::domain::user::{BearerToken, Session, SignedIn};

/// How exactly it is kept when a session was last used: each note is a write.
const SEEN_ACCURACY: Duration = Duration::from_mins(1);

impl App {
    /// Who is signed in with that token, if it is a session that holds. Read from the store at every call, so that signing out
    /// counts from the next one.
    pub async fn signed_in(&self, token: &BearerToken) -> Result<Option<SignedIn>> {
        let now = self.clock.wall();
        let found = self.store.find_session(token.hash()).await?;
        let Some(found) = found.filter(|found| found.session.is_live(now)) else { return Ok(None) };
        if now >= found.session.last_seen_at.plus(SEEN_ACCURACY) {
            // Whoever only reads goes on when nothing can be written.
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

    /// Ends all sessions of the user, this one among them, and all one-time links.
    pub async fn sign_out_everywhere(&self, who: &SignedIn) -> Result<()> {
        let store = self.audited(&who.account.id, (Action::SignedOutEverywhere, Some(&who.user.id)), None);
        store.end_sessions(&who.user.id).await
    }

    /// The user's sessions, the last used first. Those that no longer hold are left out.
    pub async fn sessions(&self, who: &SignedIn) -> Result<Vec<Session>> {
        let now = self.clock.wall();
        let mut sessions = self.store.list_sessions(&who.user.id).await?;
        sessions.retain(|session| session.is_live(now));
        Ok(sessions)
    }

    /// Ends another session of the user; returns whether there was one.
    pub async fn end_session(&self, who: &SignedIn, session_id: &str) -> Result<bool> {
        let store = self.audited(&who.account.id, (Action::SessionEnded, Some(&who.user.id)), None);
        store.end_session(&who.user.id, session_id).await
    }
}
