//! The measurable rules, one module per family; writing a text that keeps them is the generators' business.

mod call_to_action;
mod readability;
mod shape;
mod style;
#[cfg(test)]
mod tests;
mod viewpoint;
mod vocabulary;

pub use shape::{WORD_COUNT_TOLERANCE, content_words, folded};
pub use style::{count_exclamations, emoji, has_contraction};
pub use viewpoint::{Pronouns, count_pronouns};

use super::manuscript::{Manuscript, Work};
use super::profile::BrandVoice;
use super::report::{VoiceCheck, VoiceReport};

/// Measures every rule of the contract (section 4.2) on one work.
pub fn check(voice: &BrandVoice, work: Work<'_>) -> VoiceReport {
    let manuscript = Manuscript::new(work);
    let checks = vec![
        vocabulary::banned_terms(voice, &manuscript),
        vocabulary::replacements(voice, &manuscript),
        vocabulary::required_terms(voice, &manuscript),
        readability::reading_grade(voice, &manuscript),
        readability::sentence_length(voice, &manuscript),
        viewpoint::point_of_view(voice, &manuscript),
        call_to_action::cta_present(voice, &manuscript),
        style::contractions(voice, &manuscript),
        style::emoji_rule(voice, &manuscript),
        style::exclamations(voice, &manuscript),
        shape::faq_count(voice, &manuscript),
        shape::word_count(&manuscript),
        shape::structure(&manuscript),
        shape::keyword_use(&manuscript),
        shape::language(&manuscript),
    ];
    VoiceReport {
        brand_voice_id: Some(voice.id.clone()).filter(|id| !id.is_empty()),
        brand_voice_version: (!voice.id.is_empty()).then_some(voice.version),
        passed: checks.iter().all(|check| check.passed),
        checks,
    }
}

/// A check that asked for something.
fn judged(rule: &str, passed: bool, expected: impl Into<String>, observed: impl Into<String>) -> VoiceCheck {
    VoiceCheck { rule: rule.to_owned(), passed, expected: Some(expected.into()), observed: Some(observed.into()) }
}

/// A check that had nothing to measure.
fn not_measured(rule: &str) -> VoiceCheck {
    VoiceCheck { rule: rule.to_owned(), passed: true, expected: None, observed: None }
}
