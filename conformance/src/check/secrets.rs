//! Key material and where it stands in a text: whole, cut short, or with its letters in the other case.
//!
//! What is put in its place is decided by whoever shows the text.

use std::fmt;
use std::iter::successors;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, Input};

/// Shortest part of a secret that is treated like the whole.
const SHORTEST_PART: usize = 12;

/// Key material that must not show anywhere.
#[derive(Clone, Default)]
pub struct Secrets {
    values: Vec<String>,
    /// Finds where one may begin: bodies of many megabytes are searched.
    beginnings: Option<AhoCorasick>,
}

/// Where a secret stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPlace {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// Which of the secrets, from 0.
    pub secret: usize,
    /// How much of it, in which letters.
    pub form: SecretForm,
}

/// How a secret shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretForm {
    /// As it is.
    Whole,
    /// Without its last character.
    WithoutLast,
    /// Whole, with capitals for small letters and the other way round.
    Swapped,
    /// Any other beginning of at least 12 bytes, whatever the case of its letters.
    Part,
}

impl Secrets {
    /// Collects the values; empty ones are no secrets.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let values: Vec<String> = values.into_iter().filter(|value| !value.is_empty()).collect();
        let beginnings = values.iter().map(|value| &value.as_bytes()[..value.len().min(SHORTEST_PART)]);
        let beginnings = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(beginnings);
        Self { beginnings: Some(beginnings.expect("a search for fewer than millions of secrets")), values }
    }

    /// The same with one more.
    #[must_use]
    pub fn and(self, value: Option<String>) -> Self {
        Self::new(self.values.into_iter().chain(value))
    }

    /// The values.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// `text` with every secret replaced, by value and never by the name of a field; so are beginnings of at least 12
    /// bytes, because texts get cut.
    pub fn mask(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut end = 0;
        for place in self.places(text) {
            masked.push_str(&text[end..place.range.start]);
            masked.push_str("[masked]");
            end = place.range.end;
        }
        masked.push_str(&text[end..]);
        masked
    }

    /// Where secrets stand in `text`, from left to right, without overlaps; the longest one wins.
    pub fn places(&self, text: &str) -> Vec<SecretPlace> {
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(begin) = self.next_beginning(text.as_bytes(), at) {
            at = begin + 1;
            if let Some(place) = self.place_at(text, begin) {
                at = place.range.end;
                places.push(place);
            }
        }
        places
    }

    /// Whether a secret of at least `shortest` bytes stands in `bytes` as it is.
    pub fn show_in(&self, bytes: &[u8], shortest: usize) -> bool {
        let begins = successors(self.next_beginning(bytes, 0), |begin| self.next_beginning(bytes, begin + 1));
        let stands =
            |rest: &[u8]| self.values.iter().any(|value| value.len() >= shortest && rest.starts_with(value.as_bytes()));
        begins.into_iter().any(|begin| stands(&bytes[begin..]))
    }

    /// The next place from `at` on where a secret may begin.
    fn next_beginning(&self, text: &[u8], at: usize) -> Option<usize> {
        Some(self.beginnings.as_ref()?.find(Input::new(text).range(at..))?.start())
    }

    fn place_at(&self, text: &str, at: usize) -> Option<SecretPlace> {
        let rest = &text.as_bytes()[at..];
        let found =
            self.values.iter().enumerate().filter_map(|(secret, value)| {
                let bytes = value.as_bytes();
                let common =
                    rest.iter().zip(bytes).take_while(|(seen, known)| seen.eq_ignore_ascii_case(known)).count();
                let whole = common == bytes.len() && rest.starts_with(bytes);
                let is_place = whole || common >= SHORTEST_PART;
                let range = at..at + common;
                (is_place && text.is_char_boundary(range.start) && text.is_char_boundary(range.end))
                    .then(|| SecretPlace { form: form(&rest[..common], bytes), range, secret })
            });
        found.max_by_key(|place| place.range.len())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{} masked]", self.values.len())
    }
}

fn form(seen: &[u8], secret: &[u8]) -> SecretForm {
    let swapped =
        |byte: &u8| if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
    if seen == secret {
        SecretForm::Whole
    } else if secret.len() == seen.len() + 1 && secret.starts_with(seen) {
        SecretForm::WithoutLast
    } else if secret.iter().map(swapped).eq(seen.iter().copied()) {
        SecretForm::Swapped
    } else {
        SecretForm::Part
    }
}

#[cfg(test)]
mod tests {
    use super::{SecretForm, Secrets};

    const KEY: &str = "cg_live_0123456789abcdEFGH";

    fn forms(text: &str) -> Vec<SecretForm> {
        let secrets = Secrets::new(["cg_live_other".to_owned(), KEY.to_owned(), String::new()]);
        secrets.places(text).into_iter().map(|place| place.form).collect()
    }

    #[test]
    fn whole_cut_and_swapped_secrets_are_found_and_masked() {
        let secrets = Secrets::new([KEY.to_owned()]);
        for (text, form) in [
            (KEY.to_owned(), SecretForm::Whole),
            (KEY[..KEY.len() - 1].to_owned(), SecretForm::WithoutLast),
            ("CG_LIVE_0123456789ABCDefgh".to_owned(), SecretForm::Swapped),
            (KEY.to_lowercase(), SecretForm::Part),
            (KEY[..14].to_owned(), SecretForm::Part),
        ] {
            assert_eq!(forms(&format!("é{text}é")), [form], "{text}");
            assert_eq!(secrets.mask(&format!("é{text}, é")), "é[masked], é");
        }
    }

    #[test]
    fn what_keys_have_in_common_is_no_secret() {
        assert_eq!(forms("keys begin with cg_live_, é"), []);
        assert_eq!(forms("cg_live_other and another"), [SecretForm::Whole]);
    }

    #[test]
    fn a_secret_is_seen_among_bytes_that_are_no_text() {
        let secrets = Secrets::new(["cg_live_01234567".to_owned(), KEY.to_owned()]);
        let beside = |text: &str| [b"\xff".as_slice(), text.as_bytes(), b"\xc3"].concat();
        assert!(secrets.show_in(&beside(&format!("cg_live_012345{KEY}")), 8));
        assert!(!secrets.show_in(&beside(&KEY.to_lowercase()[..KEY.len() - 1]), 17), "only a shorter one, and a part");
        assert!(!Secrets::default().show_in(&beside(KEY), 0));
    }

    #[test]
    fn a_short_secret_is_found_whole_only() {
        let secrets = Secrets::new(["abc".to_owned()]);
        assert_eq!(secrets.mask("ab abc aBC"), "ab [masked] aBC");
    }
}
