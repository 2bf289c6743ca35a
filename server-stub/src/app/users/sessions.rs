//! Finds the session of a browser's token, and ends sessions.

use std::time::Duration;

use super::super::service::App;
use crate::domain::audit::Action;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store::Result;
use crate::domain::user::{BearerToken, Session, SignedIn};

/// Minimum time between two updates of a session's last use, because each update is a write.
const SEEN_ACCURACY: Duration = Duration::from_mins(1);

impl App {
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
