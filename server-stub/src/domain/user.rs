//! Dashboard users, their sessions and one-time links. `sign_in` decides when a sign-in attempt is refused.

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
use super::unicode_form::{composed, is_plain_line};

/// Maximum number of users of an account.
pub const MAX_USERS: usize = 20;
/// Maximum number of sessions of a user; another session ends the oldest one.
pub const MAX_SESSIONS: usize = 20;
/// Maximum length of an e-mail address in bytes (RFC 5321, 4.5.3.1.3, without its brackets).
pub const MAX_EMAIL_BYTES: usize = 254;
/// Minimum length of a password in characters (OWASP ASVS 4.0.3, 2.1.1).
pub const MIN_PASSWORD_CHARS: usize = 12;
/// Maximum length of a password in characters (OWASP ASVS 4.0.3, 2.1.2).
pub const MAX_PASSWORD_CHARS: usize = 128;
/// Maximum lifetime of a session, even if it is in use.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(30 * 24);
/// Time without use after which a session ends.
pub const SESSION_IDLE_LIMIT: Duration = Duration::from_hours(7 * 24);
/// Validity of a one-time sign-in link.
pub const SIGN_IN_LINK_LIFETIME: Duration = Duration::from_hours(24);
/// Time after a confirmation during which a session may create access and take out data.
pub const CONFIRMATION_LIFETIME: Duration = Duration::from_mins(10);
/// Maximum number of characters of a browser name that are stored.
pub const MAX_BROWSER_CHARS: usize = 200;

/// A user of the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// `user_…`.
    pub id: String,
    /// The account that the user manages.
    pub account_id: String,
    /// E-mail address in lower case; unique in the account.
    pub email: Personal<String>,
    /// Argon2id in the PHC string format; `None` until a password is set.
    pub password_hash: Option<PasswordHash>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last sign-in.
    pub last_sign_in_at: Option<Timestamp>,
}

/// Hash of a password, hidden from `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PasswordHash(…)")
    }
}

/// Reads an e-mail address, trimmed, in NFC and in lower case. `None` if it cannot be an e-mail address.
pub fn parse_email(typed: &str) -> Option<Personal<String>> {
    let email = composed(typed.trim()).to_lowercase();
    let is_hidden = |character: char| character.is_whitespace() || matches!(character, '\u{200c}' | '\u{200d}');
    let is_plain = is_plain_line(&email) && !email.contains(is_hidden);
    let (local, domain) = email.rsplit_once('@')?;
    let is_email = is_plain && !local.is_empty() && !domain.is_empty() && email.len() <= MAX_EMAIL_BYTES;
    is_email.then(|| email.into())
}

/// A user's session, from sign-in to sign-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `session_…`.
    pub id: String,
    /// The user.
    pub user_id: String,
    /// Name that the browser sent.
    pub browser: Personal<String>,
    /// Time of the sign-in.
    pub created_at: Timestamp,
    /// Time of the last use, accurate to a minute.
    pub last_seen_at: Timestamp,
    /// Latest end of the session.
    pub expires_at: Timestamp,
    /// True if the user signed in with a one-time link that another person made, and has not set a password since.
    pub can_reset: bool,
    /// Time when the user last proved their identity: with the password, or with a one-time link of another person.
    pub confirmed_at: Option<Timestamp>,
}

impl Session {
    /// Returns true if the session is still valid.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at && now < self.last_seen_at.plus(SESSION_IDLE_LIMIT)
    }

    /// Returns true if the user proved their identity a short time ago. A stolen session does not prove it.
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        self.confirmed_at.is_some_and(|at| now < at.plus(CONFIRMATION_LIFETIME))
    }
}

/// A one-time link to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInLink {
    /// The user whom it signs in.
    pub user: User,
    /// Actor who made it, as in the audit trail.
    pub made_by: Personal<String>,
}

impl SignInLink {
    /// Returns true if the user made the link. Such a link proves only that somebody had a session of the user.
    pub fn is_own(&self) -> bool {
        self.made_by == self.user.email
    }
}

/// A session with its user and account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// The user.
    pub user: User,
    /// The account that the user manages.
    pub account: Account,
}

/// A random value in a cookie or a link: 32 bytes. The database stores its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(Zeroizing<[u8; 32]>);

impl BearerToken {
    /// Generates a random token.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = Zeroizing::new([0_u8; 32]);
        randomness.fill(&mut *bytes);
        Self(bytes)
    }

    /// Reads the text that [`BearerToken::reveal`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        // 32 bytes are 43 characters. Longer texts are not decoded.
        if text.len() != 43 {
            return None;
        }
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(text).ok()?);
        Some(Self(Zeroizing::new(bytes.as_slice().try_into().ok()?)))
    }

    /// Returns the text for a cookie or a link.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(*self.0)
    }

    /// Returns the hash that the database stores.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(*self.0).into())
    }

    /// Returns the token that a form must send with this token (the signed double-submit of OWASP's CSRF cheat sheet).
    pub fn csrf_token(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.csrf_mac().finalize().into_bytes())
    }

    /// Returns true if `sent` is [`BearerToken::csrf_token`]. The comparison takes constant time.
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
        for typed in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "a da@example.com",
            "a\0@example.com",
            "a\u{202e}@example.com",
            "a\u{200d}@b.c",
            &"a".repeat(300),
        ] {
            assert_eq!(parse_email(typed), None, "{typed:?}");
        }
    }
}
