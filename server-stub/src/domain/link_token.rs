//! Tokens of links: one confirms a lead (double opt-in), the other shows an unpublished article. The holder of a token may do that, so
//! tokens are never logged.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::page::{TAG_LENGTH, TokenSigner, sign, verified};
use super::personal::Personal;

/// Validity of a link that confirms a lead (`confirmation_link` under `x-limits`).
pub const CONFIRMATION_VALID_FOR: Duration = Duration::from_hours(7 * 24);
/// Validity of a link that shows an article.
pub const PREVIEW_VALID_FOR: Duration = Duration::from_hours(1);
/// Length of the HMAC-SHA256 of a confirmation in bytes.
const CONFIRMATION_TAG_LENGTH: usize = 32;

/// The content of a confirmation token. No other token has these fields, so no other token is accepted as one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Confirmation {
    confirms: String,
    until: i64,
}

/// The content of a preview token. No other token has these fields, so no other token is accepted as one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Preview {
    previewed: String,
    until: i64,
}

/// Result of reading a confirmation token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationToken {
    /// The token confirms the lead with this id.
    Valid(String),
    /// This server signed the token, but it has expired.
    Expired,
    /// The signature is not from this server.
    Forged,
}

impl TokenSigner {
    /// Returns the token that confirms only this lead.
    pub fn write_confirmation(&self, lead_id: &str, now: Timestamp) -> Personal<String> {
        let confirmation =
            Confirmation { confirms: lead_id.to_owned(), until: now.plus(CONFIRMATION_VALID_FOR).millis() };
        sign(&self.confirmations, &confirmation, CONFIRMATION_TAG_LENGTH).into()
    }

    /// Reads a confirmation token.
    pub fn read_confirmation(&self, token: &str, now: Timestamp) -> ConfirmationToken {
        match verified::<Confirmation>(&self.confirmations, token, CONFIRMATION_TAG_LENGTH) {
            None => ConfirmationToken::Forged,
            Some(found) if now < Timestamp::from_millis(found.until) => ConfirmationToken::Valid(found.confirms),
            Some(_) => ConfirmationToken::Expired,
        }
    }

    /// Returns the token that shows only this article.
    pub fn write_preview(&self, article_id: &str, now: Timestamp) -> String {
        let preview = Preview { previewed: article_id.to_owned(), until: now.plus(PREVIEW_VALID_FOR).millis() };
        sign(&self.previews, &preview, TAG_LENGTH)
    }

    /// Returns the id of the article that a preview token shows. `None` if the token is forged, expired, or of another kind.
    pub fn read_preview(&self, token: &str, now: Timestamp) -> Option<String> {
        let preview: Preview = verified(&self.previews, token, TAG_LENGTH)?;
        (now < Timestamp::from_millis(preview.until)).then_some(preview.previewed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::page::{Cursor, Filters};
    use crate::domain::store::PageKey;

    #[test]
    fn a_link_works_for_a_week_and_cannot_be_forged() {
        let (signer, now) = (TokenSigner::new(|_| [7; 32]), Timestamp::from_millis(1000));
        let token = signer.write_confirmation("lead_1", now);
        let valid = ConfirmationToken::Valid("lead_1".to_owned());
        let end = now.plus(CONFIRMATION_VALID_FOR);
        assert_eq!(signer.read_confirmation(&token, now), valid);
        assert_eq!(signer.read_confirmation(&token, end.plus_millis(-1)), valid);
        assert_eq!(signer.read_confirmation(&token, end), ConfirmationToken::Expired);
        assert_eq!(TokenSigner::new(|_| [8; 32]).read_confirmation(&token, now), ConfirmationToken::Forged);
        assert_eq!(signer.read_confirmation("", now), ConfirmationToken::Forged);
        for index in 0..token.len() {
            let mut forged = token.as_bytes().to_vec();
            forged[index] = if forged[index] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert_eq!(signer.read_confirmation(&forged, now), ConfirmationToken::Forged, "at {index}");
        }
        assert!(!format!("{token:?}").contains(token.as_str()));
    }

    #[test]
    fn a_secret_of_one_purpose_signs_nothing_for_another() {
        let now = Timestamp::from_millis(1000);
        for leaked in ["page tokens", "previews", "confirmations"] {
            let signer = TokenSigner::new(|purpose| if purpose == leaked { [7; 32] } else { [9; 32] });
            let thief = TokenSigner::new(|_| [7; 32]);
            let after = PageKey { time: now, id: "art_1".to_owned() };
            let page = thief.write("articles", "acct_1", Cursor { filters: Filters::new(), after }, now);
            let accepted = [
                signer.read("articles", "acct_1", &page, now).is_some(),
                signer.read_preview(&thief.write_preview("art_1", now), now).is_some(),
                signer.read_confirmation(&thief.write_confirmation("lead_1", now), now) != ConfirmationToken::Forged,
            ];
            assert_eq!(accepted, ["page tokens", "previews", "confirmations"].map(|purpose| purpose == leaked));
        }
    }

    #[test]
    fn a_token_for_one_purpose_is_none_for_another() {
        let (signer, now) = (TokenSigner::new(|_| [7; 32]), Timestamp::from_millis(1000));
        assert_eq!(signer.read_confirmation(&signer.write_preview("lead_1", now), now), ConfirmationToken::Forged);
        assert_eq!(signer.read_preview(&signer.write_confirmation("art_1", now), now), None);
    }

    #[test]
    fn a_preview_lasts_an_hour_and_cannot_be_forged() {
        let (signer, now) = (TokenSigner::new(|_| [7; 32]), Timestamp::from_millis(1000));
        let token = signer.write_preview("art_1", now);
        assert_eq!(signer.read_preview(&token, now).as_deref(), Some("art_1"));
        assert!(signer.read_preview(&token, now.plus(PREVIEW_VALID_FOR).plus_millis(-1)).is_some());
        assert_eq!(signer.read_preview(&token, now.plus(PREVIEW_VALID_FOR)), None);
        assert_eq!(TokenSigner::new(|_| [8; 32]).read_preview(&token, now), None);
        for index in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[index] = if forged[index] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert!(forged == token || signer.read_preview(&forged, now).is_none(), "at {index}");
        }
    }

    #[test]
    fn a_page_token_is_no_preview_and_a_preview_no_page_token() {
        let (signer, now) = (TokenSigner::new(|_| [7; 32]), Timestamp::from_millis(1000));
        let after = PageKey { time: now, id: "art_1".to_owned() };
        let page = signer.write("articles", "acct_1", Cursor { filters: Filters::new(), after }, now);
        assert_eq!(signer.read_preview(&page, now), None);
        let preview = signer.write_preview("art_1", now);
        assert_eq!(signer.read("articles", "acct_1", &preview, now), None);
    }
}
