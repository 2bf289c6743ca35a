//! Parses the three headers of a hook (Standard Webhooks 1.0), each within a limit.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;

use super::error::VerifyError;
use super::mac;

pub(super) const ID: &str = "webhook-id";
pub(super) const TIMESTAMP: &str = "webhook-timestamp";
pub(super) const SIGNATURE: &str = "webhook-signature";

/// Maximum length of an id, in characters.
const LONGEST_ID: usize = 64;
/// Maximum number of digits of a timestamp: enough for ten thousand years.
const LONGEST_TIMESTAMP: usize = 12;
/// Maximum number of signatures that are checked; a sender in rotation sends two or three.
const MOST_SIGNATURES: usize = 10;
/// Signature version that this crate verifies. Other versions, which a sender may add, are ignored.
const VERSION: &str = "v1";

/// Returns the value of a header that occurs once.
fn single<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, VerifyError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().ok_or(VerifyError::MissingHeader(name))?;
    if values.next().is_some() {
        return Err(VerifyError::InvalidHeader(name));
    }
    first.to_str().map_err(|_| VerifyError::InvalidHeader(name))
}

/// Returns the id. A dot in it could give two different hooks the same signature, so dots are refused.
pub(super) fn id(headers: &HeaderMap) -> Result<&str, VerifyError> {
    let id = single(headers, ID)?;
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(known) {
        return Err(VerifyError::InvalidHeader(ID));
    }
    Ok(id)
}

/// Returns the time of signing: its text, which is signed, and its seconds since 1970.
pub(super) fn timestamp(headers: &HeaderMap) -> Result<(&str, u64), VerifyError> {
    let text = single(headers, TIMESTAMP)?;
    let digits = !text.is_empty() && text.len() <= LONGEST_TIMESTAMP && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = text.parse().map_err(|_| VerifyError::InvalidHeader(TIMESTAMP))?;
    if digits { Ok((text, seconds)) } else { Err(VerifyError::InvalidHeader(TIMESTAMP)) }
}

/// Returns the signatures of the known version, from all lines of the header.
pub(super) fn signatures(headers: &HeaderMap) -> Result<Vec<[u8; mac::LENGTH]>, VerifyError> {
    let mut found = Vec::new();
    let mut lines = headers.get_all(SIGNATURE).iter().peekable();
    if lines.peek().is_none() {
        return Err(VerifyError::MissingHeader(SIGNATURE));
    }
    for line in lines {
        let line = line.to_str().map_err(|_| VerifyError::InvalidHeader(SIGNATURE))?;
        let candidates = line.split(' ').filter_map(|entry| entry.split_once(','));
        for (_, encoded) in candidates.filter(|(version, _)| *version == VERSION) {
            let bytes = STANDARD.decode(encoded).ok().and_then(|bytes| bytes.try_into().ok());
            if let Some(bytes) = bytes
                && found.len() < MOST_SIGNATURES
            {
                found.push(bytes);
            }
        }
    }
    Ok(found)
}
