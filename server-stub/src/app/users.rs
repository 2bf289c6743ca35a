//! Manages the users of an account: adds and removes them, creates one-time links, sets passwords.

use std::time::Duration;

use zeroize::Zeroizing;

use super::password_hasher::HashingPlace;
use super::{AdminError, App, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::id::{self, Kind};
use crate::domain::password::weakness;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store;
use crate::domain::user::{BearerToken, SIGN_IN_LINK_LIFETIME, SignedIn, User, parse_email};

/// Time after signing in with a one-time link during which a user can replace the password without entering it.
const RESET_TIME: Duration = Duration::from_mins(15);

impl App {
    /// Adds a user without a password. The user signs in with a one-time link and then sets one.
    pub async fn create_user(&self, account: &Account, email: &str) -> Result<User, AdminError> {
        let email = parse_email(email)
            .ok_or(AdminError::Invalid { setting: Setting::Email, reason: "must look like name@example.com" })?;
        let now = self.clock.wall();
        let user = User {
            id: id::new(Kind::User, now, &*self.randomness),
            account_id: account.id.clone(),
            email,
            password_hash: None,
            created_at: now,
            last_sign_in_at: None,
        };
        let store = self.audited(&account.id, (Action::UserAdded, Some(&user.id)), Some(&user.email));
        store.create_user(&user).await.map_err(|error| match error {
            store::Error::AlreadyExists => AdminError::EmailTaken,
            other => other.into(),
        })?;
        Ok(user)
    }

    /// Returns the users of the account, oldest first.
    pub async fn users(&self, account: &Account) -> Result<Vec<User>, AdminError> {
        Ok(self.store.list_users(&account.id).await?)
    }

    /// Returns the account's user with this id or e-mail address.
    pub async fn user(&self, account: &Account, id_or_email: &str) -> Result<User, AdminError> {
        let email = parse_email(id_or_email);
        let is_it = |user: &User| user.id == id_or_email || Some(&user.email) == email.as_ref();
        let found = self.store.list_users(&account.id).await?.into_iter().find(is_it);
        found.ok_or(AdminError::UserNotFound)
    }

    /// Removes a user of the account with all sessions and links. The last user cannot be removed.
    pub async fn remove_user(&self, account: &Account, user_id: &str) -> Result<(), AdminError> {
        let user = self.user(account, user_id).await?;
        let store = self.audited(&account.id, (Action::UserRemoved, Some(&user.id)), Some(&user.email));
        if store.remove_user(&user.id).await? {
            return Ok(());
        }
        // The user remains because it is the last one, unless another request removed it in the meantime.
        self.user(account, user_id).await?;
        Err(AdminError::LastUser)
    }

    /// Creates a one-time sign-in link for the user, valid for a day. Returns the token of the link.
    pub async fn create_sign_in_link(&self, user: &User) -> Result<BearerToken, AdminError> {
        let token = BearerToken::generate(&*self.randomness);
        let expires_at = self.clock.wall().plus(SIGN_IN_LINK_LIFETIME);
        let store = self.audited(&user.account_id, (Action::SignInLinkMade, Some(&user.id)), Some(&user.email));
        store.create_sign_in_link(&user.id, token.hash(), expires_at, self.actor_name()).await?;
        Ok(token)
    }

    /// Returns true if the user must enter the current password to set a new one. Not needed if no password is set, or shortly
    /// after signing in with a one-time link of another person, because the user may have forgotten it.
    pub fn needs_current_password(&self, who: &SignedIn) -> bool {
        let has_link = who.session.can_reset && self.clock.wall() < who.session.created_at.plus(RESET_TIME);
        who.user.password_hash.is_some() && !has_link
    }

    /// Sets the user's password and ends the other sessions. Returns the new token of this session. The current password is needed
    /// if [`needs_current_password`](Self::needs_current_password) returns true; wrong passwords count like failed attempts to sign
    /// in.
    pub async fn set_password(
        &self,
        who: &SignedIn,
        current: Zeroizing<String>,
        new: Zeroizing<String>,
    ) -> Result<BearerToken, AdminError> {
        if let Some(reason) = weakness(&new, &who.user.email, &[&who.account.name]) {
            return Err(AdminError::Invalid { setting: Setting::NewPassword, reason });
        }
        let place = self.passwords.place()?;
        if self.needs_current_password(who) {
            self.check_current_password(&place, who, current).await?;
        }
        let namesakes = self.store.find_users(&who.user.email).await?;
        let other = namesakes.iter().find(|user| user.id != who.user.id).and_then(|user| user.password_hash.as_ref());
        let hash = place.hash(new, other, &*self.randomness).await;
        let token = BearerToken::generate(&*self.randomness);
        let store = self.audited(&who.account.id, (Action::PasswordSet, Some(&who.user.id)), None);
        if !store.set_password(&who.user.id, &hash, &who.session.id, token.hash(), self.clock.wall()).await? {
            return Err(AdminError::UserNotFound);
        }
        Ok(token)
    }

    /// Confirms the session with the user's password. Wrong passwords count like failed attempts to sign in.
    pub async fn confirm_session(&self, who: &SignedIn, password: Zeroizing<String>) -> Result<(), AdminError> {
        self.check_current_password(&self.passwords.place()?, who, password).await?;
        Ok(self.store.confirm_session(&who.user.id, &who.session.id, self.clock.wall()).await?)
    }

    async fn check_current_password(
        &self,
        place: &HashingPlace<'_>,
        who: &SignedIn,
        password: Zeroizing<String>,
    ) -> Result<(), AdminError> {
        let refused = |reason| AdminError::Invalid { setting: Setting::CurrentPassword, reason };
        let tries = AttemptSubject::current_password(&who.user.id);
        if self.store.count_sign_in_attempt(&[tries], self.clock.wall()).await?.is_some() {
            return Err(refused("was tried too often; wait 15 minutes, or sign in with a one-time link"));
        }
        let hashes = who.user.password_hash.clone().into_iter().collect();
        place.find(password, hashes).await.map(drop).ok_or_else(|| refused("is wrong"))
    }
}
