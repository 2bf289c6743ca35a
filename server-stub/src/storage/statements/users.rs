//! Statements about users, their sessions, one-time links and failed tries to sign in.

use crate::domain::account::Account;
use crate::domain::clock::Timestamp;
use crate::domain::sign_in::{AttemptSubject, FAILURE_MEMORY};
use crate::domain::store::{Error, Result, SessionOpening};
use crate::domain::user::{MAX_SESSIONS, MAX_USERS, PasswordHash, Session as Stay, SignedIn, TokenHash, User};
use crate::storage::sql::{Columns, Session, read, values};

use super::accounts::lock_account;

macro_rules! user_columns {
    () => {
        "users.id, users.account_id, users.email, users.password_hash, users.created_at, users.last_sign_in_at"
    };
}

macro_rules! session_columns {
    () => {
        "user_sessions.id, user_sessions.user_id, user_sessions.browser, user_sessions.created_at,
            user_sessions.last_seen_at, user_sessions.expires_at, user_sessions.is_by_link"
    };
}

pub(in crate::storage) fn insert(session: &mut dyn Session, user: &User) -> Result<()> {
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

pub(in crate::storage) fn find(session: &mut dyn Session, email: &str) -> Result<Option<User>> {
    session.first(concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1"), values![email], user)
}

pub(in crate::storage) fn list(session: &mut dyn Session, account_id: &str) -> Result<Vec<User>> {
    session.rows(
        concat!("SELECT ", user_columns!(), " FROM users WHERE account_id = $1 ORDER BY created_at, id"),
        values![account_id],
        user,
    )
}

pub(in crate::storage) fn remove(session: &mut dyn Session, user_id: &str) -> Result<bool> {
    let account_id: Option<String> =
        session.first("SELECT account_id FROM users WHERE id = $1", values![user_id], read::text)?;
    let Some(account_id) = account_id else { return Ok(false) };
    // Two users who remove each other at the same time would leave nobody.
    lock_account(session, &account_id)?;
    let removed = session.execute(
        "DELETE FROM users WHERE id = $1 AND (SELECT count(*) FROM users WHERE account_id = $2) > 1",
        values![user_id, &account_id],
    )?;
    Ok(removed > 0)
}

pub(in crate::storage) fn set_password(
    session: &mut dyn Session,
    user_id: &str,
    hash: &PasswordHash,
    session_id: &str,
    token: TokenHash,
) -> Result<bool> {
    let kept = session.execute(
        "UPDATE user_sessions SET token_hash = $3 WHERE id = $1 AND user_id = $2",
        values![session_id, user_id, token.0.as_slice()],
    )?;
    if kept == 0 {
        return Ok(false);
    }
    session.execute("UPDATE users SET password_hash = $2 WHERE id = $1", values![user_id, hash.0.as_str()])?;
    session.execute("DELETE FROM user_sessions WHERE user_id = $1 AND id <> $2", values![user_id, session_id])?;
    session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![user_id])?;
    let tries = AttemptSubject::current_password(user_id);
    session.execute("DELETE FROM sign_in_attempts WHERE subject = $1", values![tries.hash().as_slice()])?;
    Ok(true)
}

pub(in crate::storage) fn count_attempt(
    session: &mut dyn Session,
    subjects: &[AttemptSubject],
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    // In one order for all, so that two tries at once do not wait for each other.
    let mut subjects = subjects.to_vec();
    subjects.sort_by_key(|subject| *subject.hash());
    let mut locked_until = None;
    let mut failures = Vec::new();
    for subject in &subjects {
        session.lock(&format!("sign_in:{:02x?}", subject.hash()))?;
        let known = session.first(
            "SELECT failures, last_at, locked_until FROM sign_in_attempts WHERE subject = $1",
            values![subject.hash().as_slice()],
            |row| Ok((row.number::<u32>()?, row.time()?, row.maybe_time()?)),
        )?;
        let remembered = known.filter(|(_, last_at, _)| now < last_at.plus(FAILURE_MEMORY));
        locked_until = locked_until.max(remembered.and_then(|(.., until)| until).filter(|until| now < *until));
        failures.push(remembered.map_or(0, |(failures, ..)| failures));
    }
    if locked_until.is_some() {
        return Ok(locked_until);
    }
    for (subject, failures) in subjects.iter().zip(failures) {
        let failures = failures.saturating_add(1);
        session.execute(
            "INSERT INTO sign_in_attempts (subject, failures, last_at, locked_until) VALUES ($1, $2, $3, $4)
             ON CONFLICT (subject) DO UPDATE
             SET failures = excluded.failures, last_at = excluded.last_at, locked_until = excluded.locked_until",
            values![subject.hash().as_slice(), failures, now, subject.locked_until(failures, now)],
        )?;
    }
    session.execute("DELETE FROM sign_in_attempts WHERE last_at < $1", values![now.minus(FAILURE_MEMORY)])?;
    Ok(None)
}

pub(in crate::storage) fn open_session(session: &mut dyn Session, opening: &SessionOpening) -> Result<bool> {
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
    // The password that was checked may have been replaced since.
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
        "INSERT INTO user_sessions (id, user_id, token_hash, browser, created_at, last_seen_at, expires_at, is_by_link)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values![
            &stay.id,
            &stay.user_id,
            opening.token.0.as_slice(),
            &stay.browser,
            stay.created_at,
            stay.last_seen_at,
            stay.expires_at,
            stay.is_by_link,
        ],
    )?;
    for subject in &opening.subjects {
        let statement = match subject {
            AttemptSubject::Person(_) => "DELETE FROM sign_in_attempts WHERE subject = $1",
            // What others failed at stays: whoever has an account could clear it for guessing at those of others.
            AttemptSubject::Address(_) => {
                "UPDATE sign_in_attempts SET failures = failures - 1, locked_until = NULL
                 WHERE subject = $1 AND failures > 0"
            }
        };
        session.execute(statement, values![subject.hash().as_slice()])?;
    }
    Ok(true)
}

pub(in crate::storage) fn find_session(session: &mut dyn Session, token: TokenHash) -> Result<Option<SignedIn>> {
    session.first(
        concat!(
            "SELECT ",
            session_columns!(),
            ", ",
            user_columns!(),
            ", accounts.id, accounts.name, accounts.created_at
             FROM user_sessions JOIN users ON users.id = user_id JOIN accounts ON accounts.id = account_id
             WHERE token_hash = $1"
        ),
        values![token.0.as_slice()],
        |row| {
            let session = stay(row)?;
            let user = user(row)?;
            let account = Account { id: row.text()?, name: row.text()?, created_at: row.time()? };
            Ok(SignedIn { session, user, account })
        },
    )
}

pub(in crate::storage) fn touch_session(session: &mut dyn Session, session_id: &str, now: Timestamp) -> Result<()> {
    session.execute(
        "UPDATE user_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2",
        values![session_id, now],
    )?;
    Ok(())
}

pub(in crate::storage) fn list_sessions(session: &mut dyn Session, user_id: &str) -> Result<Vec<Stay>> {
    session.rows(
        concat!(
            "SELECT ",
            session_columns!(),
            " FROM user_sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC"
        ),
        values![user_id],
        stay,
    )
}

pub(in crate::storage) fn end_session(session: &mut dyn Session, user_id: &str, session_id: &str) -> Result<bool> {
    let ended =
        session.execute("DELETE FROM user_sessions WHERE id = $1 AND user_id = $2", values![session_id, user_id])?;
    Ok(ended > 0)
}

pub(in crate::storage) fn end_sessions(session: &mut dyn Session, user_id: &str) -> Result<()> {
    session.execute("DELETE FROM user_sessions WHERE user_id = $1", values![user_id])?;
    session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![user_id])?;
    Ok(())
}

pub(in crate::storage) fn insert_link(
    session: &mut dyn Session,
    user_id: &str,
    token: TokenHash,
    expires_at: Timestamp,
) -> Result<()> {
    session.execute("DELETE FROM sign_in_links WHERE user_id = $1", values![user_id])?;
    session.execute(
        "INSERT INTO sign_in_links (token_hash, user_id, expires_at) VALUES ($1, $2, $3)",
        values![token.0.as_slice(), user_id, expires_at],
    )?;
    Ok(())
}

pub(in crate::storage) fn find_link(
    session: &mut dyn Session,
    token: TokenHash,
    now: Timestamp,
) -> Result<Option<User>> {
    session.first(
        concat!(
            "SELECT ",
            user_columns!(),
            " FROM sign_in_links JOIN users ON users.id = user_id WHERE token_hash = $1 AND expires_at > $2"
        ),
        values![token.0.as_slice(), now],
        user,
    )
}

/// Reads the columns of `user_columns`.
fn user(row: &mut Columns<'_>) -> Result<User> {
    Ok(User {
        id: row.text()?,
        account_id: row.text()?,
        email: row.text()?.into(),
        password_hash: row.maybe_text()?.map(PasswordHash),
        created_at: row.time()?,
        last_sign_in_at: row.maybe_time()?,
    })
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
        is_by_link: row.flag()?,
    })
}
