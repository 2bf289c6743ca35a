//! Reading `Retry-After` in both of its forms (RFC 9110 section 10.2.3).

use std::time::{Duration, SystemTime};

use chrono::DateTime;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How long the header asks to wait from `now` on; nothing where it is absent or malformed.
pub(crate) fn parse(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    // The day of the week says nothing that the date does not, and some servers get it wrong.
    let date = text.split_once(", ").map_or(text, |(_weekday, date)| date);
    let date = DateTime::parse_from_rfc2822(date).ok()?;
    Some(SystemTime::from(date).duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Duration, HeaderMap, RETRY_AFTER, SystemTime, parse};

    fn parsed(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, text.parse().expect("a header value"));
        // 1994-11-06T08:49:37Z
        parse(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn seconds_are_read() {
        assert_eq!(parsed("120"), Some(Duration::from_mins(2)));
        assert_eq!(parsed("0"), Some(Duration::ZERO));
        assert_eq!(parsed("99999999999999999999999"), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(parsed("Sun, 06 Nov 1994 08:50:37 GMT"), Some(Duration::from_mins(1)));
        assert_eq!(parsed("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
    }

    #[test]
    fn anything_else_is_ignored() {
        for text in ["", "-1", "1.5", "soon", "+3"] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }
}
