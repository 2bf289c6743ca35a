//! Runs all rules on one text, in the contract's order. One file per family contains the rules.

use super::super::manuscript::{CheckInput, Manuscript};
use super::super::profile::BrandVoice;
use super::super::report::{VoiceCheck, VoiceReport};
use super::{call_to_action, readability, shape, style, viewpoint, vocabulary};

/// Measures every rule of the contract (section 4.2) on one text.
pub fn check(voice: &BrandVoice, input: CheckInput<'_>) -> VoiceReport {
    let manuscript = Manuscript::new(input);
    let mut checks = checks_of_wording(voice, &manuscript);
    checks.extend([
        shape::faq_count(voice, &manuscript),
        shape::word_count(&manuscript),
        shape::structure(&manuscript),
        shape::keyword_use(&manuscript),
        shape::language(&manuscript),
    ]);
    VoiceReport {
        brand_voice_id: Some(voice.id.clone()).filter(|id| !id.is_empty()),
        brand_voice_version: (!voice.id.is_empty()).then_some(voice.version),
        passed: checks.iter().all(|check| check.passed),
        checks,
    }
}

/// Measures the rules for any text, even a single paragraph. It omits the rules about the shape of an article and about the
/// request.
pub fn check_wording(voice: &BrandVoice, language: &str, markdown: &str) -> Vec<VoiceCheck> {
    checks_of_wording(voice, &Manuscript::new(CheckInput::of_wording(language, markdown)))
}

fn checks_of_wording(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> Vec<VoiceCheck> {
    vec![
        vocabulary::banned_terms(voice, manuscript),
        vocabulary::replacements(voice, manuscript),
        vocabulary::required_terms(voice, manuscript),
        readability::reading_grade(voice, manuscript),
        readability::sentence_length(voice, manuscript),
        viewpoint::point_of_view(voice, manuscript),
        call_to_action::cta_present(voice, manuscript),
        style::contractions(voice, manuscript),
        style::emoji_rule(voice, manuscript),
        style::exclamations(voice, manuscript),
    ]
}
