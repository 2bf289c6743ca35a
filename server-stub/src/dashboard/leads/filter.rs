//! Filter for the list and the export of leads.

use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use crate::domain::day::Day;
use crate::domain::search::Search;
use crate::domain::store::LeadFilter;

/// Names of the fields.
pub(super) const NAMES: [&str; 5] = ["search", "website", "article", "from", "until"];
/// Maximum length of an id in the filter, in characters.
const MAX_ID_CHARS: usize = 128;

/// Filter fields as submitted. They may contain a person's address, so the type has no `Debug` output.
#[derive(Default)]
pub(super) struct FilterForm {
    pub(super) search: String,
    pub(super) website: String,
    pub(super) article: String,
    pub(super) from: String,
    pub(super) until: String,
}

impl FilterForm {
    pub(super) fn read(form: &Form) -> Self {
        let text = |name| form.text(name).to_owned();
        let id = |name| form.text(name).chars().take(MAX_ID_CHARS).collect();
        Self {
            search: text("search"),
            website: id("website"),
            article: id("article"),
            from: text("from"),
            until: text("until"),
        }
    }

    /// Returns the names and values of fields that are not empty.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = [&self.search, &self.website, &self.article, &self.from, &self.until];
        NAMES.into_iter().zip(values.map(String::as_str)).filter(|(_, value)| !value.is_empty())
    }

    /// Returns the search term.
    pub(super) fn search(&self) -> Option<Search> {
        Search::parse(&self.search)
    }

    /// Parses the filter for the store, without the search term. The range includes both days.
    pub(super) fn parse(&self) -> Result<LeadFilter, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut day = |field: &'static str, text: &str| {
            let day = Day::parse(text);
            if day.is_none() && !text.is_empty() {
                errors.add(field, "write a date as year, month and day, such as 2026-11-23, or leave it empty");
            }
            day
        };
        let (from, until) = (day("from", &self.from), day("until", &self.until));
        if from.zip(until).is_some_and(|(from, until)| from > until) {
            errors.add("until", "the last day is before the first day; swap the two");
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let id = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Ok(LeadFilter {
            website_id: id(&self.website),
            article_id: id(&self.article),
            captured_since: from.map(Day::start),
            captured_until: until.map(|day| day.plus(1).start()),
            updated_since: None,
        })
    }
}
