//! Checks one sentence against the rules of a profile in one language. `sentence_renderer` builds the sentences.

use crate::domain::voice::{
    BrandVoice, Contractions, EmojiUse, PointOfView, SupportedLanguage, TermMatcher, TermReplacer, count_exclamations,
    count_pronouns_in, emoji, has_contraction, words,
};

use super::orthography::with_matching_articles;

/// Minimum formality of a profile, from 1 to 5, for the formal address of the reader. English has one form of address.
const FORMAL_FROM: u8 = 3;

/// Rules of a profile, prepared for sentences of one language.
#[derive(Debug)]
pub(super) struct ProfileRules<'a> {
    pub(super) voice: &'a BrandVoice,
    pub(super) language: SupportedLanguage,
    /// Terms to avoid.
    pub(super) banned: TermMatcher,
    /// Terms to avoid and terms to replace.
    pub(super) forbidden: TermMatcher,
    replacer: TermReplacer<'a>,
    /// Index of the form of address in a template: 0 formal, 1 informal; `None` if the reader must not be addressed.
    pub(super) address: Option<usize>,
}

impl<'a> ProfileRules<'a> {
    pub(super) fn new(voice: &'a BrandVoice, language: SupportedLanguage) -> Self {
        let may_address = voice.point_of_view != PointOfView::ThirdPerson;
        Self {
            voice,
            language,
            address: may_address.then_some(usize::from(voice.tone_dimensions.formality < FORMAL_FROM)),
            banned: voice.vocabulary.avoided(),
            forbidden: voice.vocabulary.forbidden(),
            replacer: TermReplacer::new(&voice.vocabulary),
        }
    }

    /// Returns true if a finished text satisfies every rule that a single sentence can break.
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

    /// Returns true if the text is no longer than the profile's longest sentence.
    pub(super) fn fits(&self, text: &str) -> bool {
        words(text).count() <= self.voice.max_sentence_words as usize
    }

    /// Returns the text with the profile's replacements.
    pub(super) fn replaced(&self, text: &str) -> String {
        let changed = self.replacer.replaced(text);
        if changed == text || self.language != SupportedLanguage::English {
            changed
        } else {
            with_matching_articles(&changed)
        }
    }
}
