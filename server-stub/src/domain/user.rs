//! The people who sign in to the dashboard, their sessions and one-time links. When a try to sign in is refused is decided in
//! `sign_in`.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::account::Account;
use super::clock::Timestamp;
use super::personal::Personal;
use super::randomness::Randomness;

/// Most users of an account.
pub const MAX_USERS: usize = 20;
/// Most sessions of a user; a further one ends the oldest.
pub const MAX_SESSIONS: usize = 20;
/// The longest e-mail address, bytes (RFC 5321, 4.5.3.1.3, without its brackets).
pub const MAX_EMAIL_BYTES: usize = 254;
/// The shortest password, characters (OWASP ASVS 4.0.3, 2.1.1).
pub const MIN_PASSWORD_CHARS: usize = 12;
/// The longest password, characters (OWASP ASVS 4.0.3, 2.1.2).
pub const MAX_PASSWORD_CHARS: usize = 128;
/// A session ends after so long, however much it is used.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(30 * 24);
/// A session ends when it was not used for so long.
pub const SESSION_IDLE_LIMIT: Duration = Duration::from_hours(7 * 24);
/// How long a one-time link to sign in is valid.
pub const SIGN_IN_LINK_LIFETIME: Duration = Duration::from_hours(24);
/// Most characters that are kept of what a browser calls itself.
pub const MAX_BROWSER_CHARS: usize = 200;

/// Somebody who may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// `user_…`.
    pub id: String,
    /// The account that the user manages.
    pub account_id: String,
    /// In lower case; unique among all users.
    pub email: Personal<String>,
    /// Argon2id in the PHC string format; `None` until a password is set.
    pub password_hash: Option<PasswordHash>,
    /// When the user was added.
    pub created_at: Timestamp,
    /// When the user last signed in.
    pub last_sign_in_at: Option<Timestamp>,
}

/// A password's hash, which no `Debug` output shows.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PasswordHash(…)")
    }
}

/// Reads an e-mail address as it is stored: trimmed and in lower case. `None` when it cannot be one.
pub fn parse_email(typed: &str) -> Option<Personal<String>> {
    let email = typed.trim().to_lowercase();
    let is_plain = !email.chars().any(|character| character.is_whitespace() || character.is_control());
    let (local, domain) = email.rsplit_once('@')?;
    let is_email = is_plain && !local.is_empty() && !domain.is_empty() && email.len() <= MAX_EMAIL_BYTES;
    is_email.then(|| email.into())
}

/// A user's stay, from signing in to signing out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `session_…`.
    pub id: String,
    /// Whose.
    pub user_id: String,
    /// What the browser calls itself.
    pub browser: Personal<String>,
    /// When the user signed in.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// Whether the user signed in with a one-time link.
    pub is_by_link: bool,
}

impl Session {
    /// Whether it still holds.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at && now < self.last_seen_at.plus(SESSION_IDLE_LIMIT)
    }
}

/// A session with its user and account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// Who.
    pub user: User,
    /// What the user manages.
    pub account: Account,
}

/// A random value that a browser or a link carries: 32 bytes. The database keeps its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(Zeroizing<[u8; 32]>);

impl BearerToken {
    /// A new one.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new([0_u8; 32]);
        randomness.fill(&mut *bytes);
        Self(bytes)
    }

    /// Reads what [`BearerToken::reveal`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters; nothing longer is decoded.
        if text.len() != 43 {
            return None;
        }
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(text).ok()?);
        Some(Self(Zeroizing::new(bytes.as_slice().try_into().ok()?)))
    }

    /// The text for a cookie or a link.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(*self.0)
    }

    /// What the database keeps.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(*self.0).into())
    }

    /// What a form must carry to be accepted with this token (the signed double-submit of OWASP's CSRF cheat sheet).
    pub fn csrf_token(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.csrf_mac().finalize().into_bytes())
    }

    /// Whether `sent` is [`BearerToken::csrf_token`], compared in constant time.
    pub fn accepts_csrf_token(&self, sent: &str) -> bool {
        let Ok(sent) = URL_SAFE_NO_PAD.decode(sent) else { return false };
        self.csrf_mac().verify_slice(&sent).is_ok()
    }

    fn csrf_mac(&self) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&*self.0).expect("HMAC takes a key of any length");
        mac.update(b"form");
        mac
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BearerToken(…)")
    }
}

/// SHA-256 of a [`BearerToken`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Constant(u8);

    impl Randomness for Constant {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    #[test]
    fn a_token_reads_back_and_accepts_only_its_own_form_token() {
        let (one, other) = (BearerToken::generate(&Constant(1)), BearerToken::generate(&Constant(2)));
        assert_eq!(BearerToken::parse(&one.reveal()), Some(one.clone()));
        assert!(one.accepts_csrf_token(&one.csrf_token()));
        assert!(!one.accepts_csrf_token(&other.csrf_token()));
        assert!(!one.accepts_csrf_token("") && !one.accepts_csrf_token(&one.reveal()));
        assert_ne!(one.hash(), other.hash());
        assert_eq!(format!("{one:?}"), "BearerToken(…)");
    }

    #[test]
    fn an_address_is_stored_in_one_form_and_what_is_none_is_refused() {
        assert_eq!(parse_email(" Ada@Example.COM ").unwrap().as_str(), "ada@example.com");
        for typed in ["", "ada", "@example.com", "ada@", "a da@example.com", "a\0@example.com", &"a".repeat(300)] {
            assert_eq!(parse_email(typed), None, "{typed:?}");
        }
    }
}
