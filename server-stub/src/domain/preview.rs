//! Tokens that show one unpublished article for an hour.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::page::{TAG_LENGTH, TokenSigner};

/// Validity of a token.
pub const PREVIEW_VALID_FOR: Duration = Duration::from_hours(1);

/// The content of a token. No page token has these fields, so neither is accepted as the other.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    previewed: String,
    until: i64,
}

impl TokenSigner {
    /// Returns the token that shows only this article.
    pub fn write_preview(&self, article_id: &str, now: Timestamp) -> String {
        let payload = Payload { previewed: article_id.to_owned(), until: now.plus(PREVIEW_VALID_FOR).millis() };
        self.sign(&payload, TAG_LENGTH)
    }

    /// Returns the id of the article that a token shows. `None` if the token is forged, expired, or of another kind.
    pub fn read_preview(&self, token: &str, now: Timestamp) -> Option<String> {
        let payload: Payload = self.verified(token, TAG_LENGTH)?;
        (now < Timestamp::from_millis(payload.until)).then_some(payload.previewed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::page::{Cursor, Filters};
    use crate::domain::store::PageKey;

    #[test]
    fn a_preview_lasts_an_hour_and_cannot_be_forged() {
        let (signer, now) = (TokenSigner::new([7; 32]), Timestamp::from_millis(1000));
        let token = signer.write_preview("art_1", now);
        assert_eq!(signer.read_preview(&token, now).as_deref(), Some("art_1"));
        assert!(signer.read_preview(&token, now.plus(PREVIEW_VALID_FOR).plus_millis(-1)).is_some());
        assert_eq!(signer.read_preview(&token, now.plus(PREVIEW_VALID_FOR)), None);
        assert_eq!(TokenSigner::new([8; 32]).read_preview(&token, now), None);
        for index in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[index] = if forged[index] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert!(forged == token || signer.read_preview(&forged, now).is_none(), "at {index}");
        }
    }

    #[test]
    fn a_page_token_is_no_preview_and_a_preview_no_page_token() {
        let (signer, now) = (TokenSigner::new([7; 32]), Timestamp::from_millis(1000));
        let after = PageKey { time: now, id: "art_1".to_owned() };
        let page = signer.write("articles", "acct_1", Cursor { filters: Filters::new(), after }, now);
        assert_eq!(signer.read_preview(&page, now), None);
        let preview = signer.write_preview("art_1", now);
        assert_eq!(signer.read("articles", "acct_1", &preview, now), None);
    }
}
