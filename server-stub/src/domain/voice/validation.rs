//! Bounds of a profile, and contradictions that no text could satisfy. `rules` checks texts.

use super::profile::{BrandVoice, CallToAction, Contractions, EmojiUse, Vocabulary};
use super::rules::{count_exclamations, emoji, has_contraction};
use super::terms::TermMatcher;
use super::{sentences, words};
use crate::domain::unicode_form::is_plain_line;

/// Maximum number of terms to avoid, and of terms to replace.
const MAX_TERMS: usize = 200;
/// Maximum number of terms to use.
const MAX_PREFERRED_TERMS: usize = 100;
/// Maximum length of a term in characters.
const MAX_TERM_CHARS: usize = 60;

/// A problem of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileViolation {
    /// Path of the field, such as `vocabulary.avoid[3]`.
    pub field: String,
    /// Description of the problem for people.
    pub message: String,
}

impl BrandVoice {
    /// Returns all problems of the profile; empty if it is valid.
    pub fn validate(&self) -> Vec<ProfileViolation> {
        let mut violations = Violations::default();
        violations.length("name", &self.name, 1, 80);
        if !is_plain_line(&self.name) {
            violations
                .add("name", "has an invisible character or a mark that changes the writing direction; remove it");
        }
        violations.length("audience", &self.audience, 0, 200);
        violations.list("tone", self.tone.iter().map(String::as_str), 8, 40);
        violations.list("dos", self.dos.iter().map(String::as_str), 20, 200);
        violations.list("donts", self.donts.iter().map(String::as_str), 20, 200);
        violations.list("samples", self.samples.iter().map(String::as_str), 5, 8000);
        violations.list(
            "vocabulary.avoid",
            self.vocabulary.avoid.iter().map(String::as_str),
            MAX_TERMS,
            MAX_TERM_CHARS,
        );
        violations.list(
            "vocabulary.replace",
            self.vocabulary.replace.iter().map(|pair| pair.from.as_str()),
            MAX_TERMS,
            MAX_TERM_CHARS,
        );
        violations.list(
            "vocabulary.replace",
            self.vocabulary.replace.iter().map(|pair| pair.to.as_str()),
            MAX_TERMS,
            MAX_TERM_CHARS,
        );
        violations.list(
            "vocabulary.prefer",
            self.vocabulary.prefer.iter().map(|wish| wish.term.as_str()),
            MAX_PREFERRED_TERMS,
            MAX_TERM_CHARS,
        );
        let tone = self.tone_dimensions;
        violations.range("tone_dimensions.humour", tone.humour.into(), 1, 5);
        violations.range("tone_dimensions.formality", tone.formality.into(), 1, 5);
        violations.range("tone_dimensions.respect", tone.respect.into(), 1, 5);
        violations.range("tone_dimensions.enthusiasm", tone.enthusiasm.into(), 1, 5);
        violations.range("reading_grade.min", self.reading_grade.min.into(), 1, 18);
        violations.range("reading_grade.max", self.reading_grade.max.into(), 1, 18);
        if self.reading_grade.min > self.reading_grade.max {
            violations.add("reading_grade", "min must not be above max");
        }
        violations.range("max_sentence_words", self.max_sentence_words, 10, 60);
        violations.range("max_exclamations", self.max_exclamations, 0, 20);
        violations.range("faq_count", self.faq_count, 0, 10);
        if let Some(boilerplate) = &self.boilerplate {
            violations.length("boilerplate", boilerplate, 0, 600);
        }
        if let Some(cta) = &self.cta {
            violations.length("cta.text", &cta.text, 1, 160);
            let url = cta.url.as_deref();
            if url.is_some_and(|url| url::Url::parse(url).map_or(true, |url| url.scheme() != "https")) {
                violations.add("cta.url", "must be an https URL");
            }
            violations.length("cta.url", url.unwrap_or_default(), 0, 2048);
        }
        if self.vocabulary.is_within_bounds() {
            Contradictions::of(self).add_to(&mut violations);
        }
        violations.found
    }
}

impl Vocabulary {
    /// Returns true if the lists are short enough to search.
    fn is_within_bounds(&self) -> bool {
        let is_short = |term: &str| term.chars().count() <= MAX_TERM_CHARS;
        self.avoid.len() <= MAX_TERMS
            && self.replace.len() <= MAX_TERMS
            && self.prefer.len() <= MAX_PREFERRED_TERMS
            && self.avoid.iter().all(|term| is_short(term))
            && self.replace.iter().all(|pair| is_short(&pair.from) && is_short(&pair.to))
            && self.prefer.iter().all(|wish| is_short(&wish.term))
    }
}

/// Finds rules that no text could satisfy together.
struct Contradictions<'v> {
    voice: &'v BrandVoice,
    banned: TermMatcher,
    replaced: TermMatcher,
}

impl<'v> Contradictions<'v> {
    fn of(voice: &'v BrandVoice) -> Self {
        Self { voice, banned: voice.vocabulary.avoided(), replaced: voice.vocabulary.replaced() }
    }

    fn add_to(&self, violations: &mut Violations) {
        if let Some(cta) = &self.voice.cta {
            self.validate_call_to_action(cta, violations);
        }
        self.validate_vocabulary(violations);
    }

    fn validate_call_to_action(&self, cta: &CallToAction, violations: &mut Violations) {
        self.validate_fixed_text("cta.text", &cta.text, violations);
        if sentences(&cta.text).iter().any(|sentence| words(sentence).count() > self.voice.max_sentence_words as usize)
        {
            violations.add("cta.text", "has a sentence longer than max_sentence_words");
        }
        if count_exclamations(&cta.text) > self.voice.max_exclamations as usize {
            violations.add("cta.text", "has more exclamation marks than max_exclamations allows");
        }
    }

    fn validate_vocabulary(&self, violations: &mut Violations) {
        for (index, wish) in self.voice.vocabulary.prefer.iter().enumerate().filter(|(_, wish)| wish.required) {
            self.validate_fixed_text(&format!("vocabulary.prefer[{index}].term"), &wish.term, violations);
        }
        for (index, pair) in self.voice.vocabulary.replace.iter().enumerate() {
            let field = format!("vocabulary.replace[{index}].to");
            if self.banned.matches(&pair.to) {
                violations.add(&field, "contains a term that vocabulary.avoid forbids");
            }
            if self.replaced.matches(&pair.to) {
                violations.add(&field, "contains a term that vocabulary.replace replaces");
            }
        }
    }

    /// Checks a text that every article must contain against the profile's other rules.
    fn validate_fixed_text(&self, field: &str, text: &str, violations: &mut Violations) {
        if let Some(term) = self.banned.find(text) {
            violations.add(field, &format!("contains \"{term}\", which vocabulary.avoid forbids"));
        }
        if let Some(term) = self.replaced.find(text) {
            violations.add(field, &format!("contains \"{term}\", which vocabulary.replace replaces"));
        }
        if self.voice.emoji == EmojiUse::None && emoji(text).is_some() {
            violations.add(field, "contains an emoji, which the profile forbids");
        }
        if self.voice.contractions == Contractions::Avoid && has_contraction(text) {
            violations.add(field, "contains a contraction, which the profile forbids");
        }
    }
}

/// Collects violations in the order of the profile's fields.
#[derive(Default)]
struct Violations {
    found: Vec<ProfileViolation>,
}

impl Violations {
    fn add(&mut self, field: &str, message: &str) {
        self.found.push(ProfileViolation { field: field.to_owned(), message: message.to_owned() });
    }

    fn length(&mut self, field: &str, text: &str, least: usize, most: usize) {
        let length = text.chars().count();
        if length > most {
            self.add(field, &format!("has {length} characters, at most {most} are allowed"));
        }
        if text.trim().chars().count() < least {
            self.add(field, "must not be blank");
        }
    }

    fn list<'a>(&mut self, field: &str, items: impl ExactSizeIterator<Item = &'a str>, most: usize, longest: usize) {
        if items.len() > most {
            // Skip per-item errors of an oversized list.
            return self.add(field, &format!("has {} entries, at most {most} are allowed", items.len()));
        }
        for (index, item) in items.enumerate() {
            self.length(&format!("{field}[{index}]"), item, 1, longest);
        }
    }

    fn range(&mut self, field: &str, value: u32, least: u32, most: u32) {
        if !(least..=most).contains(&value) {
            self.add(field, &format!("is {value}, must be {least} to {most}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::profile::{PreferredTerm, ReadingGrade, Replacement};
    use super::*;

    #[test]
    fn the_default_profile_is_valid() {
        assert_eq!(BrandVoice::default().validate(), []);
    }

    #[test]
    fn a_name_with_a_hidden_character_is_refused() {
        let voice = BrandVoice { name: "Bakery\u{202e}Miller".into(), ..BrandVoice::default() };
        assert_eq!(voice.validate().iter().map(|violation| violation.field.as_str()).collect::<Vec<_>>(), ["name"]);
    }

    #[test]
    fn every_violation_is_reported_with_its_field() {
        let mut voice = BrandVoice {
            name: " ".into(),
            faq_count: 11,
            reading_grade: ReadingGrade { min: 9, max: 3 },
            cta: Some(CallToAction { text: "Buy cheap stuff now!".into(), url: Some("http://example.com".into()) }),
            ..BrandVoice::default()
        };
        voice.vocabulary.avoid = vec!["cheap".into(), String::new()];
        voice.vocabulary.prefer = vec![PreferredTerm { term: "dirt cheap".into(), required: true }];
        voice.vocabulary.replace = vec![Replacement { from: "buy".into(), to: "buy".into() }];
        let fields: Vec<String> = voice.validate().into_iter().map(|violation| violation.field).collect();
        for field in [
            "name",
            "faq_count",
            "reading_grade",
            "cta.url",
            "cta.text",
            "vocabulary.avoid[1]",
            "vocabulary.prefer[0].term",
            "vocabulary.replace[0].to",
        ] {
            assert!(fields.iter().any(|found| found == field), "{field} is missing in {fields:?}");
        }
    }
}
