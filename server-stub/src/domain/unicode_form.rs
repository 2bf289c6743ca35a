//! Unicode forms of a text. The composed and the decomposed form of a letter, such as é in one or in two characters, count as the same
//! letter. Texts are stored as they were sent, and compared in NFC (Unicode Standard Annex #15).

use std::borrow::Cow;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// Returns the text in NFC.
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Returns true if people see exactly the stored text, on one line: it has no control characters, no characters that embed or override
/// the writing direction, and no invisible characters except joiners, which scripts and pictographs need.
pub fn is_plain_line(text: &str) -> bool {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(
                letter,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'
                    ..='\u{180f}'
            )
            || matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}')
            || matches!(letter, '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    !text.chars().any(is_hidden)
}

/// Returns a regular expression that matches what `pattern` matches, in composed and in decomposed form. A letter that has two forms must not be in a
/// character class.
pub fn in_any_form(pattern: &str) -> String {
    let pattern = composed(pattern);
    let mut written = String::with_capacity(pattern.len());
    let mut rest = &*pattern;
    while !rest.is_empty() {
        let next_letter = rest.char_indices().skip(1).find(|(_, character)| canonical_combining_class(*character) == 0);
        let (letter, after) = rest.split_at(next_letter.map_or(rest.len(), |(at, _)| at));
        rest = after;
        let parts: Vec<char> = letter.nfd().collect();
        // A letter with two marks may be composed with the first of them only.
        let forms = (1..=parts.len()).rev().map(|count| {
            let (first, marks) = parts.split_at(count);
            first.iter().copied().nfc().chain(marks.iter().copied()).collect::<String>()
        });
        let mut forms: Vec<_> = forms.collect();
        forms.dedup();
        match forms.as_slice() {
            [only] => written.push_str(only),
            _ => written.extend(["(?:", &forms.join("|"), ")"]),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn what_is_not_seen_is_no_plain_line() {
        for text in ["You may write to me.", "Darf ich? – Ja!", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "a\u{200d}b"] {
            assert!(is_plain_line(text), "{text:?}");
        }
        for text in ["a\nb", "a\tb", "a\u{7f}", "a\u{202e}b", "a\u{2066}b", "a\u{200b}b", "a\u{2028}b", "\u{feff}a"] {
            assert!(!is_plain_line(text), "{text:?}");
        }
        // Every character of Bidi_Control, and fillers that look like nothing.
        let controls = ['\u{61c}', '\u{200e}', '\u{200f}']
            .into_iter()
            .chain('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}');
        for hidden in controls.chain(['\u{3164}', '\u{ffa0}', '\u{115f}', '\u{e0061}', '\u{ad}', '\u{2060}']) {
            assert!(!is_plain_line(&format!("Bakery{hidden}Miller")), "{hidden:?}");
        }
    }

    #[test]
    fn a_pattern_matches_each_form_of_a_letter() {
        let pattern = Regex::new(&format!("^(?:{})$", in_any_form("a\u{1ed9}|c"))).unwrap();
        for text in ["a\u{1ed9}", "ao\u{323}\u{302}", "a\u{1ecd}\u{302}", "c"] {
            assert!(pattern.is_match(text), "{text:?}");
        }
        assert!(!pattern.is_match("ao") && !pattern.is_match("a\u{f4}"));
        // The marks change their order.
        let pattern = Regex::new(&in_any_form("\u{c0}\u{f7a}")).unwrap();
        assert!(pattern.is_match("A\u{f7a}\u{300}"));
    }

    proptest! {
        #[test]
        fn a_text_matches_the_pattern_of_its_other_form(text in "\\PC{0,12}") {
            let (short, long) = (text.nfc().collect::<String>(), text.nfd().collect::<String>());
            prop_assert_eq!(composed(&long), short.as_str());
            let pattern = Regex::new(&format!("^{}$", in_any_form(&regex::escape(&text)))).unwrap();
            prop_assert!(pattern.is_match(&short) && pattern.is_match(&long), "{:?}", text);
        }
    }
}
