//! What a profile allows one sentence to say, in one language. How sentences are made is in `sentence_renderer`.

use crate::domain::voice::{
    BrandVoice, Contractions, EmojiUse, PointOfView, SupportedLanguage, TermMatcher, count_exclamations,
    count_pronouns_in, emoji, has_contraction, words,
};
use crate::generation::assemble::{forbidden_terms, with_case_of};

use super::orthography::with_matching_articles;

/// The reader is addressed formally from this formality of a profile on, of 1 to 5; English has one form of address.
const FORMAL_FROM: u8 = 3;

/// A profile, ready to be applied to sentences of one language.
#[derive(Debug)]
pub(super) struct ProfileRules<'a> {
    pub(super) voice: &'a BrandVoice,
    pub(super) language: SupportedLanguage,
    /// The terms to avoid.
    pub(super) banned: TermMatcher,
    /// The terms to avoid and those to replace.
    pub(super) forbidden: TermMatcher,
    replaced: Vec<(TermMatcher, &'a str)>,
    /// The form of address among those of a template: 0 formal, 1 informal; `None` where the reader is not addressed.
    pub(super) address: Option<usize>,
}

impl<'a> ProfileRules<'a> {
    pub(super) fn new(voice: &'a BrandVoice, language: SupportedLanguage) -> Self {
        let banned = TermMatcher::new(voice.vocabulary.avoid.iter().map(String::as_str));
        let pairs = &voice.vocabulary.replace;
        let forbidden = if pairs.is_empty() { banned.clone() } else { forbidden_terms(voice) };
        let may_address = voice.point_of_view != PointOfView::ThirdPerson;
        Self {
            voice,
            language,
            address: may_address.then_some(usize::from(voice.tone_dimensions.formality < FORMAL_FROM)),
            banned,
            forbidden,
            replaced: pairs.iter().map(|pair| (TermMatcher::new([pair.from.as_str()]), pair.to.as_str())).collect(),
        }
    }

    /// Whether a piece of finished text keeps every rule that one sentence can break.
    pub(super) fn allows(&self, text: &str) -> bool {
        self.is_right_person(text)
            && !self.forbidden.matches(text)
            && (self.voice.contractions == Contractions::Allow
                || self.language != SupportedLanguage::English
                || !has_contraction(text))
            && (self.voice.emoji == EmojiUse::Allow || emoji(text).is_none())
            && count_exclamations(text) == 0
    }

    fn is_right_person(&self, text: &str) -> bool {
        if matches!(self.voice.point_of_view, PointOfView::Any | PointOfView::FirstPersonSingular) {
            return true;
        }
        let pronouns = count_pronouns_in(self.language, text);
        pronouns.singular == 0
            && (self.voice.point_of_view != PointOfView::ThirdPerson || pronouns.plural + pronouns.second == 0)
    }

    /// Whether the text is no longer than the profile's longest sentence.
    pub(super) fn fits(&self, text: &str) -> bool {
        words(text).count() <= self.voice.max_sentence_words as usize
    }

    /// The text with the profile's replacements made.
    pub(super) fn replaced(&self, text: &str) -> String {
        let mut changed = text.to_owned();
        for (matcher, to) in &self.replaced {
            if matcher.matches(&changed) {
                changed = matcher.replace_all(&changed, |found| with_case_of(found, to));
            }
        }
        if changed == text || self.language != SupportedLanguage::English {
            changed
        } else {
            with_matching_articles(&changed)
        }
    }
}
