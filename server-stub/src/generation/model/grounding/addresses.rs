//! Finds addresses in a text, with or without a scheme, and with every full stop that browsers accept in a name.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;
use url::Host;

use super::patterns::pattern;

/// The top-level domains of IANA's root zone database on 2026-11-01. Those in other scripts are in Punycode.
const TOP_LEVEL_DOMAINS: &str = include_str!("../../../../assets/top-level-domains.txt");
/// Reserved top-level domains (RFC 2606, RFC 7686).
const RESERVED_DOMAINS: [&str; 5] = ["example", "invalid", "localhost", "onion", "test"];

static KNOWN_DOMAINS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| TOP_LEVEL_DOMAINS.split_ascii_whitespace().chain(RESERVED_DOMAINS).collect());

/// Ends a sentence in Chinese and Japanese. In an address it is a full stop.
const IDEOGRAPHIC_FULL_STOP: char = '\u{3002}';

/// A full stop, or a character that a browser replaces by one (Unicode Technical Standard 46).
macro_rules! full_stop {
    () => {
        r"[.\u{2024}\u{3002}\u{fe52}\u{ff0e}\u{ff61}]"
    };
}

/// Matches an address that its form shows: a URL, an e-mail address, or a name that begins with `www`.
static MARKED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:[a-z][a-z0-9+.-]*://\S+|(?:mailto|javascript|vbscript|tel):\S+|data:[a-z]+/\S+|www",
        full_stop!(),
        r"\S+|[^\s@\u{ff20}\u{fe6b}]+[@\u{ff20}\u{fe6b}][^\s@]+",
        full_stop!(),
        r"\p{L}{2,})"
    ))
});

/// Matches words that are joined by full stops, with a port and a path. Joiners are invisible.
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u{200c}\u{200d}_-]*(?:",
        full_stop!(),
        r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u{200c}\u{200d}_-]*)+(?::\p{Nd}+)?(?:[/?#]\S*)?"
    ))
});

/// Returns where the text has addresses. An address may be found twice, in whole and in part.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    let joined = JOINED.find_iter(text).filter(|found| has_domain(&plain(found.as_str())));
    MARKED.find_iter(text).chain(joined).map(|found| found.range())
}

/// Returns the form in which equal addresses are equal: as a browser reads them, without marks at the end.
pub(super) fn canonical(address: &str) -> String {
    let plain = plain(address).replace(IDEOGRAPHIC_FULL_STOP, ".");
    plain.trim_end_matches(|end: char| !end.is_alphanumeric() && end != '/').trim_end_matches('/').to_owned()
}

/// Returns the text in lower case, with ASCII characters in place of their look-alikes, and without joiners.
fn plain(text: &str) -> String {
    let is_joiner = |letter: &char| matches!(letter, '\u{200c}' | '\u{200d}');
    text.nfkc().filter(|letter| !is_joiner(letter)).flat_map(char::to_lowercase).collect()
}

/// Returns true if a word after the first one is a top-level domain. It need not be the last word: the text may go on without a space.
fn has_domain(joined: &str) -> bool {
    let name = joined.split([':', '/', '?', '#']).next().unwrap_or_default();
    name.match_indices(['.', IDEOGRAPHIC_FULL_STOP]).any(|(at, stop)| {
        let after = &name[at + stop.len()..];
        let word = after.split(['.', IDEOGRAPHIC_FULL_STOP]).next().unwrap_or_default();
        // In scripts without spaces, other letters may follow.
        let ascii = &word[..word.find(|letter: char| !letter.is_ascii()).unwrap_or(word.len())];
        let is_known = |word: &str| KNOWN_DOMAINS.contains(word);
        // A Chinese sentence may begin with the name of a country, which is also a domain.
        is_known(ascii) || (stop == "." && Host::parse(word).is_ok_and(|host| is_known(&host.to_string())))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn has_address(text: &str) -> bool {
        addresses(text).next().is_some()
    }

    #[test]
    fn addresses_are_found_in_every_form() {
        for text in [
            "see https://a.example/x",
            "mail me@a.example",
            "mail me\u{ff20}a.example",
            "at evil.com/x",
            "www.a.b",
            "www\u{3002}a.b",
            "javascript:x()",
            "Go to evil-login.co/reset now",
            "evil\u{3002}com",
            "evil\u{ff0e}com",
            "evil\u{ff61}com",
            "evil\u{2024}com",
            "evil\u{fe52}com",
            "\u{ff45}\u{ff56}\u{ff49}\u{ff4c}\u{ff0e}\u{ff43}\u{ff4f}\u{ff4d}",
            "evil.c\u{200d}om",
            "evil.zip",
            "EVIL.ZONE.",
            "evil.com.Then go",
            "請訪問evil.com獲取",
            "на сайте зло.рф сегодня",
            "到邪恶.中国，",
            "evil.xn--p1ai",
            "evil.com:8443",
        ] {
            assert!(has_address(text), "{text}");
        }
    }

    #[test]
    fn other_words_with_full_stops_are_none() {
        for text in [
            "e.g. this",
            "the end. Then",
            "data: what it says",
            "Node.js",
            "config.json and index.html",
            "Array.push(x)",
            "9 a.m. in the U.S. office",
            "3.14 or v1.2.3",
            "これは文です。Excelを使う。次の文。",
            "the end.Then",
            "z.B. heute, d.h. morgen",
            "他来自日本。中国，是邻国。",
        ] {
            assert!(!has_address(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_name_below_a_top_level_domain_is_an_address_in_every_spelling(
            name in "[a-z][a-z0-9-]{0,8}[a-z0-9]",
            domain in prop::sample::select(KNOWN_DOMAINS.iter().copied().collect::<Vec<_>>()),
            stop in prop::sample::select(vec!['.', '\u{2024}', '\u{3002}', '\u{fe52}', '\u{ff0e}', '\u{ff61}']),
            before in prop::sample::select(vec!["", "Visit ", "(", "« ", "訪問"]),
            after in prop::sample::select(vec!["", ".", " now", "/reset?a=b", ")", "、次", "。次"]),
            is_upper: bool,
        ) {
            let domain = if is_upper { domain.to_uppercase() } else { domain.to_owned() };
            let written = format!("{name}{stop}{domain}");
            prop_assert!(has_address(&format!("{before}{written}{after}")), "{}", written);
            prop_assert_eq!(canonical(&written), canonical(&format!("{}.{}", name.to_uppercase(), domain)));
        }
    }
}
