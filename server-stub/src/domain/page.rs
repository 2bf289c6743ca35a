//! Page tokens: opaque, signed, and bound to a list, an account, filters and the last row.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::clock::Timestamp;
use super::store::PageKey;

/// Validity of a token. The contract promises at least 24 hours; the server allows twice that.
pub const TOKEN_VALID_FOR: Duration = Duration::from_hours(48);
/// Maximum length of a token in bytes.
pub const MAX_TOKEN_LENGTH: usize = 4096;
/// Number of bytes of an HMAC in a token.
pub(super) const TAG_LENGTH: usize = 16;
/// Page size if `limit` is absent.
pub const DEFAULT_LIMIT: u32 = 20;
/// Maximum page size.
pub const MAX_LIMIT: u32 = 100;

/// Filters of the request: query parameter to value.
pub type Filters = BTreeMap<String, String>;

/// The content of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The filters of the first page.
    pub filters: Filters,
    /// Last row of the previous page.
    pub after: PageKey,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    list: String,
    account: String,
    filters: Filters,
    time: i64,
    id: String,
    issued: i64,
}

/// Writes and reads tokens, with a secret for each purpose.
#[derive(Clone)]
pub struct TokenSigner {
    pages: [u8; 32],
    pub(super) previews: [u8; 32],
    pub(super) confirmations: [u8; 32],
}

impl TokenSigner {
    /// Creates a signer. `secret_for` returns the secret for a purpose.
    pub fn new(secret_for: impl Fn(&str) -> [u8; 32]) -> Self {
        Self {
            pages: secret_for("page tokens"),
            previews: secret_for("previews"),
            confirmations: secret_for("confirmations"),
        }
    }

    /// Returns the token for the page after `cursor.after` of `list` (an `operationId`).
    pub fn write(&self, list: &str, account_id: &str, cursor: Cursor, now: Timestamp) -> String {
        let payload = Payload {
            list: list.to_owned(),
            account: account_id.to_owned(),
            filters: cursor.filters,
            time: cursor.after.time.millis(),
            id: cursor.after.id,
            issued: now.millis(),
        };
        sign(&self.pages, &payload, TAG_LENGTH)
    }

    /// Reads a token. `None` if it is forged, expired, or for another list or account.
    pub fn read(&self, list: &str, account_id: &str, token: &str, now: Timestamp) -> Option<Cursor> {
        let payload: Payload = verified(&self.pages, token, TAG_LENGTH)?;
        let issued = Timestamp::from_millis(payload.issued);
        let fits = payload.list == list && payload.account == account_id && now < issued.plus(TOKEN_VALID_FOR);
        fits.then(|| Cursor {
            filters: payload.filters,
            after: PageKey { time: Timestamp::from_millis(payload.time), id: payload.id },
        })
    }
}

/// Returns a token with this payload and the first `tag_length` bytes of its HMAC-SHA256.
pub(super) fn sign(secret: &[u8; 32], payload: &impl Serialize, tag_length: usize) -> String {
    let payload = serde_json::to_vec(payload).expect("strings and numbers always serialize");
    let mut bytes = mac(secret, &payload).finalize().into_bytes()[..tag_length].to_vec();
    bytes.extend_from_slice(&payload);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the payload of a token that was signed with this secret. Compares the signature in constant time.
pub(super) fn verified<T: DeserializeOwned>(secret: &[u8; 32], token: &str, tag_length: usize) -> Option<T> {
    if token.len() > MAX_TOKEN_LENGTH {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (tag, payload) = bytes.split_at_checked(tag_length)?;
    mac(secret, payload).verify_truncated_left(tag).ok()?;
    serde_json::from_slice(payload).ok()
}

fn mac(secret: &[u8; 32], payload: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
    mac.update(payload);
    mac
}

impl std::fmt::Debug for TokenSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("TokenSigner(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor() -> Cursor {
        Cursor {
            filters: Filters::from([("website_id".to_owned(), "web_1".to_owned())]),
            after: PageKey { time: Timestamp::from_millis(5), id: "art_1".to_owned() },
        }
    }

    #[test]
    fn a_token_reads_back_and_any_changed_character_is_refused() {
        let signer = TokenSigner::new(|_| [7; 32]);
        let now = Timestamp::from_millis(1000);
        let token = signer.write("list_articles", "acct_1", cursor(), now);
        assert_eq!(signer.read("list_articles", "acct_1", &token, now), Some(cursor()));
        for index in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[index] = if forged[index] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert!(forged == token || signer.read("list_articles", "acct_1", &forged, now).is_none(), "at {index}");
        }
    }

    #[test]
    fn a_token_belongs_to_one_list_one_account_and_two_days() {
        let signer = TokenSigner::new(|_| [7; 32]);
        let now = Timestamp::from_millis(1000);
        let token = signer.write("list_articles", "acct_1", cursor(), now);
        assert!(signer.read("list_leads", "acct_1", &token, now).is_none());
        assert!(signer.read("list_articles", "acct_2", &token, now).is_none());
        assert!(signer.read("list_articles", "acct_1", &token, now.plus(TOKEN_VALID_FOR)).is_none());
        assert!(TokenSigner::new(|_| [8; 32]).read("list_articles", "acct_1", &token, now).is_none());
    }
}
