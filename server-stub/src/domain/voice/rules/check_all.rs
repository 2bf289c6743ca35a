//! Runs all rules on one text, in the contract's order. One file per family contains the rules.

use super::super::manuscript::{CheckInput, Manuscript};
use super::super::profile::BrandVoice;
use super::super::report::{VoiceCheck, VoiceReport};
use super::{shape, viewpoint, wording};

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
        wording::banned_terms(voice, manuscript),
        wording::replacements(voice, manuscript),
        wording::required_terms(voice, manuscript),
        wording::reading_grade(voice, manuscript),
        wording::sentence_length(voice, manuscript),
        viewpoint::point_of_view(voice, manuscript),
        wording::cta_present(voice, manuscript),
        wording::contractions(voice, manuscript),
        wording::emoji_rule(voice, manuscript),
        wording::exclamations(voice, manuscript),
    ]
}
