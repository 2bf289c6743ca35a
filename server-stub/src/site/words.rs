//! Labels and dates of pages in the languages of readers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::Datelike as _;
use serde::Deserialize;

use crate::domain::clock::Timestamp;
use crate::domain::time_zone::TimeZone;

/// Texts in all languages. The first one, English, also serves languages that are not listed.
static KNOWN: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut languages: BTreeMap<String, Vec<Words>> =
        toml::from_str(include_str!("../../assets/site.toml")).expect("a test reads the texts");
    languages.remove("words").unwrap_or_default()
});

/// The texts in one language. `{}` is replaced by a number or a name.
#[derive(Debug, Deserialize)]
pub(super) struct Words {
    /// Primary subtag of the language (BCP 47).
    language: String,
    date: String,
    months: [String; 12],
    minutes: String,
    pub(super) outline: String,
    pub(super) questions: String,
    pub(super) articles: String,
    pub(super) older: String,
    pub(super) newest: String,
    pub(super) all: String,
    pub(super) pages: String,
    pub(super) feed: String,
    pub(super) empty: String,
    description: String,
    contact: String,
    pub(super) invitation: String,
    pub(super) closed: String,
    pub(super) email: String,
    pub(super) name: String,
    pub(super) message: String,
    pub(super) optional: String,
    pub(super) privacy: String,
    pub(super) send: String,
}

impl Words {
    /// Returns the texts for a page in this language (BCP 47).
    pub(super) fn of(language: &str) -> &'static Self {
        KNOWN.iter().find(|words| words.are_in(language)).unwrap_or(&KNOWN[0])
    }

    /// Returns true if the texts are in this language.
    pub(super) fn are_in(&self, language: &str) -> bool {
        language.split('-').next().is_some_and(|primary| primary.eq_ignore_ascii_case(&self.language))
    }

    /// Returns the date of a time in a time zone.
    pub(super) fn date(&self, time: Timestamp, zone: TimeZone) -> String {
        let local = zone.local(time);
        let month = usize::try_from(local.month0()).ok().and_then(|month| self.months.get(month));
        let text = self.date.replace("{day}", &local.day().to_string());
        text.replace("{month}", month.map_or("", String::as_str)).replace("{year}", &local.year().to_string())
    }

    /// Returns the reading time.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "a template hands over references")]
    pub(super) fn minutes(&self, minutes: &u32) -> String {
        self.minutes.replace("{}", &minutes.to_string())
    }

    /// Describes the articles of a website.
    pub(super) fn description(&self, name: &str) -> String {
        self.description.replace("{}", name)
    }

    /// Returns the heading of the lead form.
    pub(super) fn contact(&self, name: &str) -> String {
        self.contact.replace("{}", name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_without_its_region_and_english_is_for_the_others() {
        for (language, expected) in
            [("de-AT", "de"), ("PT-br", "pt"), ("en", "en"), ("ja", "en"), ("deu", "en"), ("", "en")]
        {
            let words = Words::of(language);
            assert_eq!(words.language, expected, "{language}");
            assert_eq!(
                words.are_in(language),
                language.to_ascii_lowercase().starts_with(expected) && language != "deu"
            );
        }
    }

    #[test]
    fn every_language_has_a_place_for_each_number_and_name() {
        for words in KNOWN.iter() {
            for text in [&words.minutes, &words.description, &words.contact] {
                assert_eq!(text.matches("{}").count(), 1, "{text}");
            }
            for part in ["{day}", "{month}", "{year}"] {
                assert_eq!(words.date.matches(part).count(), 1, "{}", words.date);
            }
        }
    }

    #[test]
    fn a_date_is_the_day_where_the_website_is() {
        let late = Timestamp::parse("2026-11-02T23:30:00Z").unwrap();
        let date = |language, zone| Words::of(language).date(late, TimeZone::parse(zone).unwrap());
        assert_eq!(date("en", "Europe/London"), "2 November 2026");
        assert_eq!(date("de-AT", "Europe/Vienna"), "3. November 2026");
        assert_eq!(date("es", "America/Bogota"), "2 de noviembre de 2026");
        assert_eq!(date("fr", "Pacific/Auckland"), "3 novembre 2026");
        assert_eq!(date("ja", "Asia/Tokyo"), "3 November 2026");
    }
}
