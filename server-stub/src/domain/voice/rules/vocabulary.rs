//! Forbidden and required terms. `terms` finds a term in a text.

use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::BrandVoice;
use super::super::report::VoiceCheck;
use super::super::terms::TermMatcher;

pub(super) fn banned_terms(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    absent("banned_terms", &TermMatcher::new(voice.vocabulary.avoid.iter().map(String::as_str)), manuscript)
}

pub(super) fn replacements(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    absent(
        "replacements",
        &TermMatcher::new(voice.vocabulary.replace.iter().map(|pair| pair.from.as_str())),
        manuscript,
    )
}

pub(super) fn required_terms(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let required: Vec<&str> =
        voice.vocabulary.prefer.iter().filter(|wish| wish.required).map(|wish| wish.term.as_str()).collect();
    if required.is_empty() {
        return VoiceCheck::not_measured("required_terms");
    }
    let missing: Vec<&str> = required
        .iter()
        .filter(|term| {
            let matcher = TermMatcher::new([**term]);
            !matcher.is_empty() && !manuscript.lines().any(|line| matcher.matches(line))
        })
        .copied()
        .collect();
    let observed =
        if missing.is_empty() { "all present".to_owned() } else { format!("missing: {}", missing.join(", ")) };
    VoiceCheck::measured("required_terms", missing.is_empty(), required.join(", "), observed)
}

fn absent(rule: &str, matcher: &TermMatcher, manuscript: &Manuscript<'_>) -> VoiceCheck {
    if matcher.is_empty() {
        return VoiceCheck::not_measured(rule);
    }
    let found = manuscript.lines().find_map(|line| matcher.find(&without_urls(line)).map(str::to_owned));
    VoiceCheck::measured(rule, found.is_none(), "none of the terms", found.unwrap_or_else(|| "none".to_owned()))
}
