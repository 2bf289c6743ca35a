//! Bytes and strings that JSON forbids.

use std::fmt::Write as _;

use super::super::fault::{Fault, fault};
use super::pieces::{each, is_string, mend};
use crate::message::Operation;

const MALFORMED: &[&str] = &["generate.json.malformed"];

pub(super) const FAULTS: &[Fault] = &[
    fault("json.byte-order-mark", "The server skips a byte order mark.", MALFORMED)
        .request(|request, _| mend(request, |text| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())),
    fault("json.lossy-utf8", "The server replaces bytes that are not UTF-8.", MALFORMED).request(|request, _| {
        if request.is(Operation::Generate) {
            request.body = String::from_utf8_lossy(&request.body).into_owned().into();
        }
    }),
    fault("json.low-surrogate", "The server replaces an unpaired low surrogate.", MALFORMED)
        .request(|request, _| mend(request, |text| replace_unpaired(text, |unit| unit >= LOW))),
    fault("json.lone-surrogate", "The server replaces an unpaired surrogate.", MALFORMED)
        .request(|request, _| mend(request, |text| replace_unpaired(text, |_| true))),
    fault("json.raw-controls", "The server accepts unescaped control characters in strings.", MALFORMED)
        .request(|request, _| mend(request, escape_controls)),
];

/// First low surrogate.
const LOW: u32 = 0xDC00;

fn escape_controls(text: &str) -> String {
    each(text, |piece| {
        let mut escaped = String::with_capacity(piece.len());
        for letter in piece.chars() {
            if is_string(piece) && letter < ' ' {
                // Writing to a string never fails.
                let _ = write!(escaped, "\\u{:04x}", u32::from(letter));
            } else {
                escaped.push(letter);
            }
        }
        escaped
    })
}

/// Replaces each unpaired surrogate for which `is_replaced` is true with an escaped U+FFFD.
fn replace_unpaired(text: &str, is_replaced: impl Fn(u32) -> bool) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let first = surrogate(rest);
        let is_pair = first.is_some_and(|unit| unit < LOW) && surrogate(&rest[6..]).is_some_and(|unit| unit >= LOW);
        // The letter after a backslash belongs to the escape.
        let length = match first {
            Some(_) if is_pair => 12,
            Some(_) => 6,
            None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        let is_lone = first.is_some_and(&is_replaced) && !is_pair;
        mended.push_str(if is_lone { "\\ufffd" } else { &rest[..length] });
        rest = &rest[length..];
    }
    mended.push_str(rest);
    mended
}

/// Returns the surrogate whose escape begins `text`.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|unit| (0xD800..0xE000).contains(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpaired_surrogates_are_replaced() {
        let all = |text| replace_unpaired(text, |_| true);
        assert_eq!(all(r"a\ud800"), r"a\ufffd");
        assert_eq!(all(r"\udc00\ud800b"), r"\ufffd\ufffdb");
        assert_eq!(all(r"\ud83d\ude00 \\ud800 \u0041\"), r"\ud83d\ude00 \\ud800 \u0041\");
        assert_eq!(replace_unpaired(r"\udc00\ud800", |unit| unit >= LOW), r"\ufffd\ud800");
    }

    #[test]
    fn controls_are_escaped_in_strings_only() {
        assert_eq!(escape_controls("{\n\"a\u{1}\": 1}"), "{\n\"a\\u0001\": 1}");
    }
}
