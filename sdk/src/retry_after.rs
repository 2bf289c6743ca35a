//! Parses `Retry-After` in both of its forms (RFC 9110 section 10.2.3).

use std::time::{Duration, SystemTime};

use chrono::{DateTime, NaiveDateTime};
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Maximum delay that is returned. Callers add it to clocks and timers, which have an upper bound.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Returns the delay that the header requests from `now` on, at most a week; `None` if it is absent or malformed.
pub(crate) fn parse(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    asked(headers, now).map(|asked| asked.min(LONGEST))
}

/// Returns the requested delay without a maximum.
fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    // In seconds, since not every platform can represent times before 1970.
    let then = Duration::from_secs(u64::try_from(seconds(text)?).unwrap_or(0));
    Some(then.saturating_sub(now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()))
}

/// Parses a date, in seconds since 1970, in one of the three forms that a recipient has to accept (RFC 9110 section 5.6.7).
fn seconds(text: &str) -> Option<i64> {
    // The day of the week is redundant, and some servers get it wrong.
    let date = text.split_once(", ").map_or(text, |(_weekday, date)| date);
    if let Ok(date) = DateTime::parse_from_rfc2822(date) {
        return Some(date.timestamp());
    }
    let old = NaiveDateTime::parse_from_str(date, "%d-%b-%y %H:%M:%S GMT");
    let oldest = || NaiveDateTime::parse_from_str(text, "%a %b %e %H:%M:%S %Y");
    Some(old.or_else(|_| oldest()).ok()?.and_utc().timestamp())
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
        assert_eq!(parsed("120"), Some(Duration::from_secs(2 * 60)));
        assert_eq!(parsed("0"), Some(Duration::ZERO));
        assert_eq!(parsed("99999999999999999999999"), Some(Duration::from_secs(7 * 24 * 60 * 60)));
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(parsed("Sun, 06 Nov 1994 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(parsed("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(parsed("Wed, 31 Dec 1969 23:59:59 GMT"), Some(Duration::ZERO));
        assert_eq!(parsed("Sunday, 06-Nov-94 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(parsed("Sun Nov  6 08:50:37 1994"), Some(Duration::from_secs(60)));
    }

    #[test]
    fn anything_else_is_ignored() {
        for text in ["", "-1", "1.5", "soon", "+3"] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }
}
