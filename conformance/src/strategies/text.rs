//! Text by code point: letters of many scripts, astral, combining, right-to-left, zero width, hostile snippets.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;

use super::list::Lists;

/// Pieces that break servers which paste text into something.
const SNIPPETS: [&str; 16] = [
    "{{7*7}}",
    "${7*7}",
    "'; DROP TABLE jobs; --",
    "<script>alert(1)</script>",
    "<b>bold</b>",
    "%s%n",
    "%00",
    "../../etc/passwd",
    "\\u0000",
    "&amp;",
    "\"quoted\"",
    "`id`",
    "null",
    "1e999",
    "e\u{301}",
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}",
];

/// Combining, zero width, right-to-left, and characters similar to white space.
const ODD_LETTERS: [char; 8] =
    ['\u{301}', '\u{200b}', '\u{200d}', '\u{202e}', '\u{feff}', '\u{a0}', '\u{2028}', '\u{fffd}'];

/// Control characters. Not drawn if a pattern excludes them. PostgreSQL cannot store the first one.
const CONTROLS: [char; 6] = ['\0', '\u{1}', '\t', '\n', '\u{7f}', '\u{85}'];

/// Returns one code point of any plane of Unicode.
fn letter() -> impl Strategy<Value = char> {
    // Two unions: one with more than ten branches could not be shared between threads.
    let plain = prop_oneof![
        6 => proptest::char::range('a', 'z'),
        2 => proptest::char::range('A', 'Z'),
        2 => Just(' '),
        1 => proptest::char::range('0', '9'),
        1 => proptest::char::range('!', '/'),
    ];
    let foreign = prop_oneof![
        proptest::char::range('\u{c0}', '\u{17f}'),
        proptest::char::range('\u{400}', '\u{44f}'),
        proptest::char::range('\u{5d0}', '\u{5ea}'),
        proptest::char::range('\u{620}', '\u{64a}'),
        proptest::char::range('\u{4e00}', '\u{4eff}'),
        proptest::char::range('\u{1f600}', '\u{1f64f}'),
        select(ODD_LETTERS.to_vec()),
        proptest::char::any(),
    ];
    prop_oneof![24 => plain, 11 => foreign, 1 => select(CONTROLS.to_vec())]
}

/// Returns texts of `minimum` to `maximum` code points; trimming leaves at least `minimum`.
///
/// Short lengths are more frequent, so that boundary values reach the maximum and not every case does. The letters
/// shrink to `a`.
pub fn text(minimum: usize, maximum: usize) -> SBoxedStrategy<String> {
    let short = maximum.min(minimum.max(1) + 40);
    let long = maximum.min(minimum.max(1) + 400);
    let letters = prop_oneof![
        6 => proptest::collection::vec(letter(), minimum..=short),
        1 => proptest::collection::vec(letter(), minimum..=long),
        2 => select(SNIPPETS.to_vec()).prop_map(|snippet| snippet.chars().collect()),
    ];
    shrinking(letters.prop_map(move |letters| fit(letters, minimum, maximum)).sboxed(), minimum)
}

fn shrinking(letters: SBoxedStrategy<Vec<char>>, minimum: usize) -> SBoxedStrategy<String> {
    let is_valid = |letters: &[char], minimum| length_without_space(letters) >= minimum;
    Lists { items: letters, minimum, is_valid, simplest: |_| 'a' }.prop_map(|letters| letters.iter().collect()).sboxed()
}

fn length_without_space(letters: &[char]) -> usize {
    letters.iter().collect::<String>().trim().chars().count()
}

/// Returns texts of exactly `length` code points, which repeat a few of these letters. They shrink to `minimum`.
pub(super) fn exactly(letters: RangeInclusive<char>, length: usize, minimum: usize) -> SBoxedStrategy<String> {
    let letter = proptest::char::range(*letters.start(), *letters.end());
    let letters = proptest::collection::vec(letter, 1..=8);
    shrinking(letters.prop_map(move |letters| letters.into_iter().cycle().take(length).collect()).sboxed(), minimum)
}

/// Cuts to `maximum`. Replaces white space at the ends by letters if trimming would leave too little.
fn fit(mut letters: Vec<char>, minimum: usize, maximum: usize) -> Vec<char> {
    letters.truncate(maximum);
    let kept = length_without_space(&letters);
    if kept >= minimum {
        return letters;
    }
    let text: String = letters.into_iter().collect();
    text.trim().chars().chain(std::iter::repeat_n('x', minimum - kept)).collect()
}

/// Returns percent-encoded path segments that identify nothing: traversal, encodings, broken UTF-8, length.
pub fn hostile_id() -> SBoxedStrategy<String> {
    let fixed = select(vec![
        "null",
        "undefined",
        "0",
        "-1",
        "art_",
        "job_",
        "*",
        "%2A",
        "%00",
        "%FF%FE",
        "%C3%28",
        "..%2F..",
        "a%2Fb",
        "%27%20OR%201%3D1--",
        "%7B%7B7*7%7D%7D",
        "%F0%9F%98%80",
        "job_00000000-0000-7000-8000-000000000000",
        "art_00000000-0000-7000-8000-000000000000",
        "%E2%80%AE",
        "a;b",
        "a,b",
        "%25",
        "~",
        "%20",
        "$where",
    ]);
    prop_oneof![
        3 => fixed.prop_map(ToOwned::to_owned),
        2 => "[a-z0-9_-]{1,64}".prop_map(|id| format!("x{id}")),
        1 => (1_usize..400).prop_map(|length| "a".repeat(length)),
    ]
    .sboxed()
}
