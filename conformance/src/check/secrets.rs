//! Finds key material in a text: whole, cut short, or in another letter case.

use std::fmt;
use std::iter::successors;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, Input};

/// Minimum length of a part of a secret that is treated like the whole.
const SHORTEST_PART: usize = 12;

/// Key material that must never appear.
#[derive(Clone, Default)]
pub struct Secrets {
    values: Vec<String>,
    /// Texts that are masked like the values, but that a target may show.
    veiled: Vec<String>,
    /// Finds the positions at which a secret may begin. Bodies of many megabytes are searched.
    beginnings: Option<AhoCorasick>,
}

/// Position of a secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPlace {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// Index of the secret, from 0. Secrets that are only masked come last.
    pub secret: usize,
    /// Form in which it appears.
    pub form: SecretForm,
}

/// Form in which a secret appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretForm {
    /// The whole secret, unchanged.
    Whole,
    /// Without its last character.
    WithoutLast,
    /// Whole, with upper and lower case swapped.
    Swapped,
    /// Any other prefix of at least 12 bytes, in any letter case.
    Part,
}

impl Secrets {
    /// Collects the values and skips empty ones.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        Self::of(values.into_iter().collect(), Vec::new())
    }

    fn of(mut values: Vec<String>, mut veiled: Vec<String>) -> Self {
        values.retain(|value| !value.is_empty());
        veiled.retain(|value| !value.is_empty());
        let all = values.iter().chain(&veiled);
        let beginnings = all.map(|value| &value.as_bytes()[..value.len().min(SHORTEST_PART)]);
        let beginnings = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(beginnings);
        let beginnings = beginnings.expect("a search for fewer than millions of secrets");
        Self { values, veiled, beginnings: Some(beginnings) }
    }

    /// Adds one value.
    #[must_use]
    pub fn and(self, value: Option<String>) -> Self {
        Self::of(self.values.into_iter().chain(value).collect(), self.veiled)
    }

    /// Also masks `texts`: secrets for the access to a target, which its contract does not cover.
    #[must_use]
    pub fn veiling(self, texts: impl IntoIterator<Item = String>) -> Self {
        Self::of(self.values, self.veiled.into_iter().chain(texts).collect())
    }

    /// Returns the values, without those that are only masked.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns `text` with every secret replaced, by its value and not by the name of a field. Also replaces prefixes
    /// of at least 12 bytes, because texts are often cut.
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

    /// Returns the positions of secrets in `text`, from left to right, without overlaps. The longest one wins.
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

    /// Returns true if `bytes` contains a secret of at least `shortest` bytes unchanged.
    pub fn show_in(&self, bytes: &[u8], shortest: usize) -> bool {
        let begins = successors(self.next_beginning(bytes, 0), |begin| self.next_beginning(bytes, begin + 1));
        let stands =
            |rest: &[u8]| self.values.iter().any(|value| value.len() >= shortest && rest.starts_with(value.as_bytes()));
        begins.into_iter().any(|begin| stands(&bytes[begin..]))
    }

    /// Returns the next position at or after `at` where a secret may begin.
    fn next_beginning(&self, text: &[u8], at: usize) -> Option<usize> {
        Some(self.beginnings.as_ref()?.find(Input::new(text).range(at..))?.start())
    }

    fn place_at(&self, text: &str, at: usize) -> Option<SecretPlace> {
        let rest = &text.as_bytes()[at..];
        let found =
            self.values.iter().chain(&self.veiled).enumerate().filter_map(|(secret, value)| {
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
        write!(formatter, "[{} masked]", self.values.len() + self.veiled.len())
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
    fn a_veiled_text_is_masked_and_may_be_shown_by_a_target() {
        let secrets = Secrets::new([KEY.to_owned()]).veiling(["way_0123".to_owned(), String::new()]);
        let secrets = secrets.and(Some("whsec_1".to_owned()));
        assert_eq!(secrets.mask(&format!("way_0123 whsec_1 {KEY}")), "[masked] [masked] [masked]");
        assert_eq!(secrets.places("way_0123")[0].secret, 2, "behind the others");
        assert_eq!(secrets.values(), [KEY, "whsec_1"]);
        assert!(!secrets.show_in(b"way_0123", 1) && !format!("{secrets:?}").contains("way"));
    }

    #[test]
    fn a_short_secret_is_found_whole_only() {
        let secrets = Secrets::new(["abc".to_owned()]);
        assert_eq!(secrets.mask("ab abc aBC"), "ab [masked] aBC");
    }
}
