//! Sign-in to the dashboard: sessions, one-time links and failed attempts.

use std::collections::BTreeSet;

use crate::domain::account::Account;
use crate::domain::clock::Timestamp;
use crate::domain::sign_in::{self, AttemptSubject, CountedAttempts, FAILURE_MEMORY};
use crate::domain::store::{Result, SessionOpening};
use crate::domain::user::{MAX_SESSIONS, Session as Stay, SignInLink, SignedIn, TokenHash};

use super::sql::{Columns, ExclusiveSession, Session, Statement, values};
use super::store::Store;
use super::users;

macro_rules! session_columns {
    () => {
        "user_sessions.id, user_sessions.user_id, user_sessions.browser, user_sessions.created_at,
            user_sessions.last_seen_at, user_sessions.expires_at, user_sessions.can_reset,
            user_sessions.confirmed_at"
    };
}

impl Store {
    /// Counts a sign-in attempt for each subject, before its result is known. If a subject is locked, counts nothing and
    /// returns the end of the lock.
    pub async fn count_sign_in_attempt(
        &self,
        subjects: &[AttemptSubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let subjects = subjects.to_vec();
        self.write_exclusive(move |session| count_attempt(session, &subjects, now)).await
    }

    /// Opens a session and removes this attempt from the counts of its subjects. If `link`
    /// is given, it must be valid, and is used up. If `password` is given, it must be the user's current one. Returns true
    /// if the session was opened.
    pub async fn open_session(&self, opening: SessionOpening) -> Result<bool> {
        self.change_exclusive(move |session| open_session(session, &opening)).await
    }

    /// Returns the session with that token, live or not.
    pub async fn find_session(&self, token: TokenHash) -> Result<Option<SignedIn>> {
        self.read_few(move |session| {
            session.first(
                concat!(
                    "SELECT ",
                    session_columns!(),
                    ", ",
                    users::user_columns!(),
                    ", accounts.id, coalesce(display_name, accounts.name), accounts.created_at
                     FROM user_sessions JOIN users ON users.id = user_id JOIN accounts ON accounts.id = account_id
                     WHERE token_hash = $1"
                ),
                values![token.0.as_slice()],
                |row| {
                    let session = stay(row)?;
                    let user = users::user(row)?;
                    let account = Account { id: row.text()?, name: row.text()?, created_at: row.time()? };
                    Ok(SignedIn { session, user, account })
                },
            )
        })
        .await
    }

    /// Records that a session was used.
    pub async fn touch_session(&self, session_id: &str, now: Timestamp) -> Result<()> {
        let session_id = session_id.to_owned();
        self.write_exclusive(move |session| {
            session.execute(
                "UPDATE user_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2",
                values![&session_id, now],
            )?;
            Ok(())
        })
        .await
    }

    /// Records that the user confirmed a session, and clears the failed attempts to confirm.
    pub async fn confirm_session(&self, user_id: &str, session_id: &str, now: Timestamp) -> Result<()> {
        let (user_id, session_id) = (user_id.to_owned(), session_id.to_owned());
        self.write_exclusive(move |session| {
            session.execute(
                "UPDATE user_sessions SET confirmed_at = $3 WHERE id = $1 AND user_id = $2",
                values![&session_id, &user_id, now],
            )?;
            let tries = AttemptSubject::current_password(&user_id);
            session.execute("DELETE FROM sign_in_attempts WHERE subject = $1", values![tries.hash().as_slice()])?;
            Ok(())
        })
        .await
    }

    /// Returns the sessions of a user, the last used first.
    pub async fn list_sessions(&self, user_id: &str) -> Result<Vec<Stay>> {
        let user_id = user_id.to_owned();
        self.read_few(move |session| {
            session.rows(
                concat!(
                    "SELECT ",
                    session_columns!(),
                    " FROM user_sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC"
                ),
                values![&user_id],
                stay,
            )
        })
        .await
    }

    /// Ends a session of the user. Returns true if it existed.
    pub async fn end_session(&self, user_id: &str, session_id: &str) -> Result<bool> {
        let (user_id, session_id) = (user_id.to_owned(), session_id.to_owned());
        self.change_exclusive(move |session| {
            let ended = session
                .execute("DELETE FROM user_sessions WHERE id = $1 AND user_id = $2", values![&session_id, &user_id])?;
            Ok(ended > 0)
        })
        .await
    }

    /// Ends all sessions and links of a user.
    pub async fn end_sessions(&self, user_id: &str) -> Result<()> {
        let user_id = user_id.to_owned();
        self.change_exclusive(move |session| {
            session.execute("DELETE FROM user_sessions WHERE user_id = $1", values![&user_id])?;
            session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![&user_id])?;
            Ok(())
        })
        .await
    }

    /// Stores a one-time sign-in link and ends the user's former links.
    pub async fn create_sign_in_link(
        &self,
        user_id: &str,
        token: TokenHash,
        expires_at: Timestamp,
        made_by: &str,
    ) -> Result<()> {
        let (user_id, made_by) = (user_id.to_owned(), made_by.to_owned());
        self.change_exclusive(move |session| {
            session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![&user_id])?;
            session.execute(
                "INSERT INTO sign_in_links (token_hash, user_id, expires_at, made_by) VALUES ($1, $2, $3, $4)",
                values![token.0.as_slice(), &user_id, expires_at, &made_by],
            )?;
            Ok(())
        })
        .await
    }

    /// Returns the link with that token, if it is valid.
    pub async fn find_sign_in_link(&self, token: TokenHash, now: Timestamp) -> Result<Option<SignInLink>> {
        self.read_few(move |session| {
            session.first(
                concat!(
                    "SELECT ",
                    users::user_columns!(),
                    ", made_by FROM sign_in_links JOIN users ON users.id = user_id WHERE token_hash = $1 AND expires_at > $2"
                ),
                values![token.0.as_slice(), now],
                |row| Ok(SignInLink { user: users::user(row)?, made_by: row.text()?.into() }),
            )
        })
        .await
    }
}

fn count_attempt(
    session: &mut dyn ExclusiveSession,
    subjects: &[AttemptSubject],
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let mut known = Vec::new();
    // All transactions use the order of the set, so that they do not deadlock.
    for subject in subjects.iter().copied().collect::<BTreeSet<_>>() {
        session.lock(&format!("sign_in:{:02x?}", subject.hash()))?;
        let counted = session.first(
            "SELECT failures, last_at, locked_until FROM sign_in_attempts WHERE subject = $1",
            values![subject.hash().as_slice()],
            |row| {
                Ok(CountedAttempts { failures: row.number()?, last_at: row.time()?, locked_until: row.maybe_time()? })
            },
        )?;
        known.push((subject, counted));
    }
    let counts = match sign_in::count_attempt(&known, now) {
        Ok(counts) => counts,
        Err(locked_until) => return Ok(Some(locked_until)),
    };
    for ((subject, _), CountedAttempts { failures, last_at, locked_until }) in known.iter().zip(counts) {
        session.execute(
            "INSERT INTO sign_in_attempts (subject, failures, last_at, locked_until) VALUES ($1, $2, $3, $4)
             ON CONFLICT (subject) DO UPDATE
             SET failures = excluded.failures, last_at = excluded.last_at, locked_until = excluded.locked_until",
            values![subject.hash().as_slice(), failures, last_at, locked_until],
        )?;
    }
    session.execute(DELETE_FORGOTTEN, values![now.minus(FAILURE_MEMORY)])?;
    Ok(None)
}

/// Skips rows that another transaction has locked, because this statement locks rows in another order.
const DELETE_FORGOTTEN: Statement<'_> = Statement {
    sqlite: "DELETE FROM sign_in_attempts WHERE last_at < $1",
    postgres: "DELETE FROM sign_in_attempts WHERE subject = ANY(ARRAY(
        SELECT subject FROM sign_in_attempts WHERE last_at < $1 FOR UPDATE SKIP LOCKED))",
};

fn open_session(session: &mut dyn Session, opening: &SessionOpening) -> Result<bool> {
    let (stay, now) = (&opening.session, opening.session.created_at);
    if let Some(link) = opening.link {
        let used = session.execute(
            "DELETE FROM sign_in_links WHERE token_hash = $1 AND user_id = $2 AND expires_at > $3",
            values![link.0.as_slice(), &stay.user_id, now],
        )?;
        if used == 0 {
            return Ok(false);
        }
    }
    // The password may have been replaced since it was checked.
    let is_there = session.execute(
        "UPDATE users SET last_sign_in_at = $2
         WHERE id = $1 AND (CAST($3 AS TEXT) IS NULL OR password_hash = $3)",
        values![&stay.user_id, now, opening.password.as_ref().map(|hash| hash.0.as_str())],
    )?;
    if is_there == 0 {
        return Ok(false);
    }
    session.execute(
        "DELETE FROM user_sessions WHERE expires_at <= $1 OR token_hash = $2",
        values![now, opening.former.0.as_slice()],
    )?;
    session.execute("DELETE FROM sign_in_links WHERE expires_at <= $1", values![now])?;
    session.execute(
        "DELETE FROM user_sessions WHERE id IN
            (SELECT id FROM user_sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC LIMIT 1000 OFFSET $2)",
        values![&stay.user_id, i64::try_from(MAX_SESSIONS - 1).unwrap_or(i64::MAX)],
    )?;
    session.execute(
        "INSERT INTO user_sessions (id, user_id, token_hash, browser, created_at, last_seen_at, expires_at, can_reset,
            confirmed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        values![
            &stay.id,
            &stay.user_id,
            opening.token.0.as_slice(),
            &stay.browser,
            stay.created_at,
            stay.last_seen_at,
            stay.expires_at,
            stay.can_reset,
            stay.confirmed_at,
        ],
    )?;
    // The same order as in `count_attempt`.
    for subject in opening.subjects.iter().collect::<BTreeSet<_>>() {
        // Keep the other failures. Otherwise an attacker could clear them by signing in to their own account, also as a user
        // with the same e-mail address, and guess more passwords.
        session.execute(
            "UPDATE sign_in_attempts SET failures = failures - 1, locked_until = NULL WHERE subject = $1 AND failures > 0",
            values![subject.hash().as_slice()],
        )?;
    }
    Ok(true)
}

/// Reads the columns of `session_columns`.
fn stay(row: &mut Columns<'_>) -> Result<Stay> {
    Ok(Stay {
        id: row.text()?,
        user_id: row.text()?,
        browser: row.text()?.into(),
        created_at: row.time()?,
        last_seen_at: row.time()?,
        expires_at: row.time()?,
        can_reset: row.flag()?,
        confirmed_at: row.maybe_time()?,
    })
}
