//! What a profile allows one sentence to say, in one language. How sentences are made is in `sentence_renderer`.

use crate::domain::voice::{
    BrandVoice, Contractions, EmojiUse, PointOfView, SupportedLanguage, TermMatcher, count_exclamations,
    count_pronouns_in, emoji, has_contraction, words,
};
use crate::generation::assemble::{forbidden_terms, with_case_of};

use super::wording::{Reader, with_matching_articles};

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
    pub(super) reader: Reader,
    /// Whether negations are contracted.
    pub(super) contracts: bool,
}

impl<'a> ProfileRules<'a> {
    pub(super) fn new(voice: &'a BrandVoice, language: SupportedLanguage) -> Self {
        let banned = TermMatcher::new(voice.vocabulary.avoid.iter().map(String::as_str));
        let pairs = &voice.vocabulary.replace;
        let forbidden = if pairs.is_empty() { banned.clone() } else { forbidden_terms(voice) };
        let contracts = language == SupportedLanguage::English
            && voice.contractions == Contractions::Allow
            && voice.tone_dimensions.formality <= 3;
        Self {
            voice,
            language,
            reader: choose_reader(voice, language, &forbidden),
            banned,
            forbidden,
            replaced: pairs.iter().map(|pair| (TermMatcher::new([pair.from.as_str()]), pair.to.as_str())).collect(),
            contracts,
        }
    }

    /// Whether a first person speaks.
    pub(super) fn has_first_person(&self) -> bool {
        matches!(self.voice.point_of_view, PointOfView::FirstPersonPlural | PointOfView::FirstPersonSingular)
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

fn choose_reader(voice: &BrandVoice, language: SupportedLanguage, forbidden: &TermMatcher) -> Reader {
    let is_formal = voice.tone_dimensions.formality >= FORMAL_FROM;
    let pronouns: &[&str] = match (language, is_formal) {
        (SupportedLanguage::English, _) => &["you", "your"],
        (SupportedLanguage::German, true) => &["sie", "ihr", "ihre"],
        (SupportedLanguage::German, false) => &["du", "dein", "deine"],
        (SupportedLanguage::French, true) => &["vous", "votre"],
        (SupportedLanguage::French, false) => &["tu", "ton", "ta"],
        (SupportedLanguage::Spanish, true) => &["usted", "su"],
        (SupportedLanguage::Spanish, false) => &["tú", "tu"],
    };
    let may_address = voice.point_of_view != PointOfView::ThirdPerson
        && (voice.point_of_view == PointOfView::SecondPerson || !pronouns.iter().any(|word| forbidden.matches(word)));
    if language != SupportedLanguage::English {
        return match (may_address, is_formal) {
            (false, _) => Reader::Nobody,
            (true, true) => Reader::You,
            (true, false) => Reader::Friend,
        };
    }
    let others = ["people", "most people", "readers", "teams"].into_iter().find(|noun| !forbidden.matches(noun));
    match others {
        Some(noun) if !may_address => Reader::Others(noun),
        _ => Reader::You,
    }
}
