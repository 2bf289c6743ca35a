//! Formats dates and locales for the language of a text.

use crate::domain::clock::Timestamp;
use crate::domain::voice::is_english;

/// Formats a date: with the month's English name for English, else as `YYYY-MM-DD`.
pub(super) fn date(time: Timestamp, language: &str) -> String {
    let format = if is_english(language) { "%-d %B %Y" } else { "%Y-%m-%d" };
    time.to_chrono().format(format).to_string()
}

/// Returns the language with its region as an `OpenGraph` locale, such as `en_GB`, or `None` if the region is unknown.
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
