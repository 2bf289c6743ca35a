//! Users of the dashboard. `sessions` contains their sessions and links.

use crate::domain::clock::Timestamp;
use crate::domain::sign_in::AttemptSubject;
use crate::domain::store::{Error, Result};
use crate::domain::user::{MAX_USERS, PasswordHash, TokenHash, User};

use super::accounts::lock_account;
use super::sql::{Columns, ExclusiveSession, read, values};
use super::store::Store;

macro_rules! user_columns {
    () => {
        "users.id, users.account_id, users.email, users.password_hash, users.created_at, users.last_sign_in_at"
    };
}
pub(super) use user_columns;

impl Store {
    /// Stores a user; at most 20 per account. Returns [`AlreadyExists`](Error::AlreadyExists) if the account has a user with
    /// that address.
    pub async fn create_user(&self, user: &User) -> Result<()> {
        let user = user.clone();
        self.change_exclusive(move |session| insert(session, &user)).await
    }

    /// Returns the users of all accounts with that e-mail address, in lower case, who have a password. The last to sign in is
    /// first.
    pub async fn find_users(&self, email: &str) -> Result<Vec<User>> {
        let email = email.to_owned();
        self.read_few(move |session| {
            session.rows(
                concat!(
                    "SELECT ",
                    user_columns!(),
                    " FROM users WHERE email = $1 AND password_hash IS NOT NULL
                     ORDER BY coalesce(last_sign_in_at, 0) DESC, id"
                ),
                values![&email],
                user,
            )
        })
        .await
    }

    /// Returns the users of an account, oldest first.
    pub async fn list_users(&self, account_id: &str) -> Result<Vec<User>> {
        let account_id = account_id.to_owned();
        self.read_few(move |session| {
            session.rows(
                concat!("SELECT ", user_columns!(), " FROM users WHERE account_id = $1 ORDER BY created_at, id"),
                values![&account_id],
                user,
            )
        })
        .await
    }

    /// Removes a user with all sessions and links, unless it is the last one of the account. Returns true if it was
    /// removed.
    pub async fn remove_user(&self, user_id: &str) -> Result<bool> {
        let user_id = user_id.to_owned();
        self.change_exclusive(move |session| {
            let account_id: Option<String> =
                session.first("SELECT account_id FROM users WHERE id = $1", values![&user_id], read::text)?;
            let Some(account_id) = account_id else { return Ok(false) };
            // Without the lock, two users who remove each other at the same time would leave no user.
            lock_account(session, &account_id)?;
            let removed = session.execute(
                "DELETE FROM users WHERE id = $1 AND (SELECT count(*) FROM users WHERE account_id = $2) > 1",
                values![&user_id, &account_id],
            )?;
            Ok(removed > 0)
        })
        .await
    }

    /// Sets a password, gives the user's session `session_id` a new token and confirms it, ends all other sessions and all
    /// links, and clears the failed attempts with the former password. Returns true if the user has such a session;
    /// otherwise changes nothing.
    pub async fn set_password(
        &self,
        user_id: &str,
        hash: &PasswordHash,
        session_id: &str,
        token: TokenHash,
        now: Timestamp,
    ) -> Result<bool> {
        let (user_id, hash, session_id) = (user_id.to_owned(), hash.clone(), session_id.to_owned());
        self.change_exclusive(move |session| {
            let kept = session.execute(
                "UPDATE user_sessions SET token_hash = $3, can_reset = 0, confirmed_at = $4 WHERE id = $1 AND user_id = $2",
                values![&session_id, &user_id, token.0.as_slice(), now],
            )?;
            if kept == 0 {
                return Ok(false);
            }
            session.execute("UPDATE users SET password_hash = $2 WHERE id = $1", values![&user_id, hash.0.as_str()])?;
            session
                .execute("DELETE FROM user_sessions WHERE user_id = $1 AND id <> $2", values![&user_id, &session_id])?;
            session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![&user_id])?;
            let tries = AttemptSubject::current_password(&user_id);
            session.execute("DELETE FROM sign_in_attempts WHERE subject = $1", values![tries.hash().as_slice()])?;
            Ok(true)
        })
        .await
    }
}

fn insert(session: &mut dyn ExclusiveSession, user: &User) -> Result<()> {
    lock_account(session, &user.account_id)?;
    let users = session.number("SELECT count(*) FROM users WHERE account_id = $1", values![&user.account_id])?;
    if usize::try_from(users).is_ok_and(|users| users >= MAX_USERS) {
        return Err(Error::LimitReached { limit: MAX_USERS, what: "users" });
    }
    session.execute(
        "INSERT INTO users (id, account_id, email, password_hash, created_at, last_sign_in_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        values![
            &user.id,
            &user.account_id,
            &user.email,
            user.password_hash.as_ref().map(|hash| hash.0.as_str()),
            user.created_at,
            user.last_sign_in_at,
        ],
    )?;
    Ok(())
}

/// Reads the columns of `user_columns`.
pub(super) fn user(row: &mut Columns<'_>) -> Result<User> {
    Ok(User {
        id: row.text()?,
        account_id: row.text()?,
        email: row.text()?.into(),
        password_hash: row.maybe_text()?.map(PasswordHash),
        created_at: row.time()?,
        last_sign_in_at: row.maybe_time()?,
    })
}
