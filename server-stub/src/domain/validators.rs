//! Entity tags and times of the last change, and the check whether a client's copy is current (RFC 9110 sections 8.8 and 13).

use std::fmt::Write as _;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::clock::Timestamp;

/// Time after a change in which more changes with the same or an earlier time may become visible: a change takes its time before
/// it commits, clocks of processes differ, and `Last-Modified` has whole seconds.
const SETTLING: Duration = Duration::from_secs(5);

/// Returns true if no further change with the time `changed_at` or an earlier one is expected.
pub fn is_settled(changed_at: Timestamp, now: Timestamp) -> bool {
    now >= changed_at.plus(SETTLING)
}

/// Returns the value of `Last-Modified`: the end of the second of the last change. `None` until that change has settled.
pub fn last_modified(changed_at: Timestamp, now: Timestamp) -> Option<String> {
    let second = Timestamp::from_millis((changed_at.seconds() + 1).saturating_mul(1000));
    is_settled(changed_at, now).then(|| httpdate::fmt_http_date(second.to_chrono().into()))
}

/// Returns true if the client's copy is current: by `If-None-Match`, and only without it by `If-Modified-Since` (RFC 9110,
/// 13.2.2). Takes the lines of each header. Ignores a date that is invalid or not the only one.
pub fn is_current(if_none_match: &[&str], if_modified_since: &[&str], tag: &str, last_modified: Option<&str>) -> bool {
    if !if_none_match.is_empty() {
        return if_none_match.iter().any(|line| is_listed(line, tag));
    }
    let ([since], Some(changed)) = (if_modified_since, last_modified) else { return false };
    let parse = |date: &str| httpdate::parse_http_date(date.trim()).ok();
    parse(since).zip(parse(changed)).is_some_and(|(since, changed)| changed <= since)
}

/// Returns a strong entity tag of these bytes, quotes included: the first half of their SHA-256.
pub fn entity_tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &digest[..16] {
        write!(tag, "{byte:02x}").expect("writing to a string never fails");
    }
    tag.push('"');
    tag
}

/// Returns true if a line of `If-None-Match` is `*` or lists this tag. The comparison is weak.
pub fn is_listed(line: &str, tag: &str) -> bool {
    line.trim() == "*" || tags(line).any(|listed| listed == tag)
}

/// Returns the opaque tags of a list, with quotes and without `W/`. The quoted text may contain a comma.
fn tags(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let begin = rest.find('"')?;
        let length = rest[begin + 1..].find('"')? + 2;
        let tag = &rest[begin..begin + length];
        rest = &rest[begin + length..];
        Some(tag)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A client that got `Last-Modified` at `first` has every change up to then. If it gets 304 later, nothing has changed since.
        #[test]
        fn a_date_never_hides_a_change(
            mut changes in prop::collection::vec((0_i64..30_000, 0_i64..5000), 1..6),
            first in 0_i64..40_000,
            later in 0_i64..40_000,
        ) {
            changes.sort_unstable();
            // A change is visible some time after its time.
            let shown = |at: i64| changes.iter().filter(|(time, delay)| time + delay <= at).collect::<Vec<_>>();
            let modified = |at: i64| {
                let time = shown(at).iter().map(|(time, _)| *time).max()?;
                last_modified(Timestamp::from_millis(time), Timestamp::from_millis(at))
            };
            let Some(since) = modified(first) else { return Ok(()) };
            let second = first + later;
            if is_current(&[], &[&since], "\"x\"", modified(second).as_deref()) {
                prop_assert_eq!(shown(first), shown(second));
            }
        }

        #[test]
        fn a_settled_page_is_current_until_its_next_change(changed in 0_i64..10_000_000, age in 5000_i64..100_000) {
            let (changed, now) = (Timestamp::from_millis(changed), Timestamp::from_millis(changed + age));
            let since = last_modified(changed, now).unwrap();
            prop_assert!(is_current(&[], &[&since], "\"x\"", Some(&since)));
            let next = last_modified(now, now.plus(SETTLING)).unwrap();
            prop_assert!(!is_current(&[], &[&since], "\"x\"", Some(&next)));
        }
    }

    #[test]
    fn a_tag_decides_before_a_date_and_odd_dates_decide_nothing() {
        const TAG: &str = "\"a\"";
        let (early, late) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT");
        // The three forms of RFC 9110, 5.6.7.
        for since in [
            late,
            early,
            " Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert!(is_current(&[], &[since], TAG, Some(early)), "{since}");
            assert!(!is_current(&["\"b\""], &[since], TAG, Some(early)), "{since}");
            assert!(!is_current(&[""], &[since], TAG, Some(early)), "{since}");
            assert!(!is_current(&[], &[since, since], TAG, Some(early)), "{since}");
            assert!(!is_current(&[], &[since], TAG, None), "{since}");
        }
        assert!(!is_current(&[], &[early], TAG, Some(late)));
        assert!(is_current(&[TAG], &[early], TAG, Some(late)), "the date is ignored");
        for odd in
            ["", "yesterday", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:38 GMT"]
        {
            assert!(!is_current(&[], &[odd], TAG, Some(early)), "{odd}");
        }
    }

    #[test]
    fn tags_are_compared_weakly_and_in_lists() {
        for line in ["*", " * ", "\"a,b\"", "W/\"a,b\"", "\"x\", W/\"a,b\"", "\"x\",\"a,b\",\"y\""] {
            assert!(is_listed(line, "\"a,b\""), "{line}");
        }
        for line in ["", "a,b", "\"a\"", "\"A,B\"", "\"x\", \"y\"", "\"a,b"] {
            assert!(!is_listed(line, "\"a,b\""), "{line}");
        }
    }
}
