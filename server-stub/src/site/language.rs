//! How the language of a text decides what its page looks like: dates, and the name that `OpenGraph` has for it.

use crate::domain::clock::Timestamp;
use crate::domain::voice::is_english;

/// A day as readers of the language know it: with the month's name in English, with figures elsewhere.
pub(super) fn date(time: Timestamp, language: &str) -> String {
    let format = if is_english(language) { "%-d %B %Y" } else { "%Y-%m-%d" };
    time.to_chrono().format(format).to_string()
}

/// The language with its region as `OpenGraph` writes it, such as `en_GB`; `None` where no region is known.
pub(super) fn locale(language: &str) -> Option<String> {
    let mut subtags = language.split('-');
    let primary = subtags.next()?.to_ascii_lowercase();
    let region = subtags.find(|subtag| subtag.len() == 2)?.to_ascii_uppercase();
    Some(format!("{primary}_{region}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_needs_a_region() {
        assert_eq!(locale("en-gb").as_deref(), Some("en_GB"));
        assert_eq!(locale("zh-Hant-TW").as_deref(), Some("zh_TW"));
        assert_eq!(locale("en"), None);
    }
}
