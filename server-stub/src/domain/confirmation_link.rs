//! Tokens of links that confirm a lead (double opt-in). The holder of a token may confirm the lead, so tokens are never logged.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::page::TokenSigner;
use super::personal::Personal;

/// Validity of a link (`confirmation_link` under `x-limits`).
pub const CONFIRMATION_VALID_FOR: Duration = Duration::from_hours(7 * 24);
/// Length of an HMAC-SHA256 in bytes.
const TAG_LENGTH: usize = 32;

/// The content of a token: the lead that it confirms, and its expiry. No other token has these fields, so no other token is
/// accepted as a confirmation token.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    confirms: String,
    until: i64,
}

/// Result of reading a token.
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
        let payload = Payload { confirms: lead_id.to_owned(), until: now.plus(CONFIRMATION_VALID_FOR).millis() };
        self.sign(&payload, TAG_LENGTH).into()
    }

    /// Reads a token.
    pub fn read_confirmation(&self, token: &str, now: Timestamp) -> ConfirmationToken {
        match self.verified::<Payload>(token, TAG_LENGTH) {
            None => ConfirmationToken::Forged,
            Some(payload) if now < Timestamp::from_millis(payload.until) => ConfirmationToken::Valid(payload.confirms),
            Some(_) => ConfirmationToken::Expired,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_for_a_week_and_cannot_be_forged() {
        let (signer, now) = (TokenSigner::new([7; 32]), Timestamp::from_millis(1000));
        let token = signer.write_confirmation("lead_1", now);
        let valid = ConfirmationToken::Valid("lead_1".to_owned());
        let end = now.plus(CONFIRMATION_VALID_FOR);
        assert_eq!(signer.read_confirmation(&token, now), valid);
        assert_eq!(signer.read_confirmation(&token, end.plus_millis(-1)), valid);
        assert_eq!(signer.read_confirmation(&token, end), ConfirmationToken::Expired);
        assert_eq!(TokenSigner::new([8; 32]).read_confirmation(&token, now), ConfirmationToken::Forged);
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
    fn a_token_for_one_purpose_is_none_for_another() {
        let (signer, now) = (TokenSigner::new([7; 32]), Timestamp::from_millis(1000));
        assert_eq!(signer.read_confirmation(&signer.write_preview("lead_1", now), now), ConfirmationToken::Forged);
        assert_eq!(signer.read_preview(&signer.write_confirmation("art_1", now), now), None);
    }
}
