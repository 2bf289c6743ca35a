//! The `Prefer` header (RFC 7240). Ignores malformed and unknown preferences, as the standard requires.

use std::time::Duration;

use http::HeaderMap;

/// Maximum wait in seconds.
const MAX_WAIT: u64 = 60;

/// The preferences that the service supports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Preferences {
    /// `handling=strict`.
    pub(super) is_strict: bool,
    /// `wait=N`, at most 60 seconds.
    pub(super) wait: Option<Duration>,
}

impl Preferences {
    pub(super) fn read(headers: &HeaderMap) -> Self {
        let mut preferences = Self::default();
        let (mut handling_seen, mut wait_seen) = (false, false);
        for line in headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok()) {
            for preference in split(line, ',') {
                let (name, value) = name_and_value(preference);
                // Only the first preference of a name counts.
                if name.eq_ignore_ascii_case("handling") && !std::mem::replace(&mut handling_seen, true) {
                    preferences.is_strict = value.eq_ignore_ascii_case("strict");
                }
                if name.eq_ignore_ascii_case("wait") && !std::mem::replace(&mut wait_seen, true) {
                    preferences.wait = seconds(value);
                }
            }
        }
        preferences
    }
}

fn seconds(value: &str) -> Option<Duration> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = is_number.then(|| value.parse().unwrap_or(MAX_WAIT).min(MAX_WAIT))?;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Parses `name`, `name=value` or `name="value"`; ignores parameters after a semicolon.
fn name_and_value(preference: &str) -> (&str, &str) {
    let first = split(preference, ';').next().unwrap_or_default();
    let (name, value) = first.split_once('=').unwrap_or((first, ""));
    let value = value.trim_matches([' ', '\t']);
    let unquoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    (name.trim_matches([' ', '\t']), unquoted.unwrap_or(value))
}

/// Splits at `separator`, except inside quoted strings.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |character| {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        match character {
            '\\' if is_quoted && !was_escaped => is_escaped = true,
            '"' if !was_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        character == separator && !is_quoted
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(lines: &[&str]) -> Preferences {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("prefer", HeaderValue::from_str(line).unwrap());
        }
        Preferences::read(&headers)
    }

    fn wait(seconds: u64) -> Preferences {
        Preferences { wait: Some(Duration::from_secs(seconds)), ..Preferences::default() }
    }

    #[test]
    fn preferences_are_read_as_the_standard_writes_them() {
        assert_eq!(read(&["wait=10"]), wait(10));
        assert_eq!(read(&["WAIT = \"10\"; x=1"]), wait(10));
        assert_eq!(read(&["wait=600"]), wait(60));
        assert_eq!(read(&["wait=99999999999999999999999"]), wait(60));
        assert_eq!(read(&["respond-async, note=\"a, wait=5\"", "wait=7, wait=8"]), wait(7));
        assert!(read(&["wait=3, Handling=Strict"]).is_strict);
    }

    #[test]
    fn what_is_malformed_is_ignored() {
        for line in
            ["wait", "wait=", "wait=0", "wait=-1", "wait=1.5", "wait=ten", "handling", "handling=lenient", ",,;=", "\""]
        {
            assert_eq!(read(&[line]), Preferences::default(), "{line}");
        }
    }
}
