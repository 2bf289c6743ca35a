//! Runs all rules on one text, in the contract's order. What each measures is in the file of its family.

use super::super::manuscript::{CheckInput, Manuscript};
use super::super::profile::BrandVoice;
use super::super::report::VoiceReport;
use super::{call_to_action, readability, shape, style, viewpoint, vocabulary};

/// Measures every rule of the contract (section 4.2) on one text.
pub fn check(voice: &BrandVoice, input: CheckInput<'_>) -> VoiceReport {
    let manuscript = Manuscript::new(input);
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
