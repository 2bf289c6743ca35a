//! Checks the point of view by the pronouns outside quotations and outside the call to action.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::language::{SupportedLanguage, words};
use super::super::manuscript::{Manuscript, without_urls};
use super::super::profile::{BrandVoice, PointOfView};
use super::report::VoiceCheck;
use crate::domain::unicode_form::{composed, in_any_form};

/// Number of words for which the second person requires one "you" or "your".
const WORDS_PER_YOU: usize = 150;

/// Number of pronouns of each person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pronouns {
    /// I, me, my, mine, myself.
    pub singular: usize,
    /// We, us, our, ours, ourselves.
    pub plural: usize,
    /// You, your, yours, yourself, yourselves.
    pub second: usize,
}

/// Counts the pronouns of an English text outside its quotations.
pub fn count_pronouns(text: &str) -> Pronouns {
    count_pronouns_in(SupportedLanguage::English, text)
}

/// Counts the pronouns of a text outside its quotations.
pub fn count_pronouns_in(language: SupportedLanguage, text: &str) -> Pronouns {
    let pronouns = personal_pronouns(language);
    let text = pronouns.quotation.replace_all(text, " ");
    let count = |index| pronouns.places(index, &text).count();
    Pronouns { singular: count(0), plural: count(1), second: count(2) }
}

/// Returns the text of the call to action in NFC, whose pronouns are not checked.
pub(in super::super) fn exempt_text(voice: &BrandVoice) -> Option<String> {
    voice.cta.as_ref().map(|cta| composed(&cta.text).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns true if the line contains the exempt text, so that its pronouns are not counted.
pub(in super::super) fn is_exempt(exempt: Option<&str>, line: &str) -> bool {
    exempt.is_some_and(|exempt| !exempt.is_empty() && composed(line).contains(exempt))
}

/// Returns true if a text follows the profile's point of view.
pub(in super::super) fn keeps_point_of_view(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> bool {
    point_of_view(voice, manuscript).passed
}

pub(super) fn point_of_view(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let language = SupportedLanguage::of(manuscript.input.language);
    let Some(language) = language.filter(|_| voice.point_of_view != PointOfView::Any) else {
        return VoiceCheck::not_measured("point_of_view");
    };
    let mut counts = Pronouns::default();
    let mut word_total = 0;
    let exempt = exempt_text(voice);
    for line in manuscript.lines().filter(|line| !is_exempt(exempt.as_deref(), line)) {
        let line = without_urls(line);
        let found = count_pronouns_in(language, &line);
        counts.singular += found.singular;
        counts.plural += found.plural;
        counts.second += found.second;
        word_total += words(&line).count();
    }
    let [one, many, reader] = personal_pronouns(language).examples;
    let (passed, expected) = match voice.point_of_view {
        PointOfView::FirstPersonSingular => (counts.singular > 0, one.to_owned()),
        PointOfView::FirstPersonPlural => (counts.plural > 0 && counts.singular == 0, format!("{many}, no {one}")),
        PointOfView::SecondPerson => {
            let least = (word_total / WORDS_PER_YOU).max(1);
            (counts.second >= least && counts.singular == 0, format!("{reader} at least {least} times, no {one}"))
        }
        PointOfView::ThirdPerson => (counts == Pronouns::default(), format!("no {one}, {many} or {reader}")),
        PointOfView::Any => (true, String::new()),
    };
    let observed = format!("I {}, we {}, you {}", counts.singular, counts.plural, counts.second);
    VoiceCheck::measured("point_of_view", passed, expected, observed)
}

/// Patterns for the pronouns of a language.
#[derive(Debug)]
pub(in super::super) struct PersonalPronouns {
    /// First person singular, first person plural, and second person. If the group `word` matches, it is the pronoun.
    pub(in super::super) pronouns: [Regex; 3],
    /// Quotations, whose pronouns are not counted.
    pub(in super::super) quotation: Regex,
    /// Examples that name each person in a report.
    pub(in super::super) examples: [&'static str; 3],
}

impl PersonalPronouns {
    /// Returns the places of the person at `index` of `pronouns` in a text without quotations.
    pub(in super::super) fn places<'t>(
        &'t self,
        index: usize,
        text: &'t str,
    ) -> impl Iterator<Item = Range<usize>> + 't {
        let found = self.pronouns[index].captures_iter(text);
        found.filter_map(|found| found.name("word").or_else(|| found.get(0)).map(|word| word.range()))
    }
}

static ENGLISH: LazyLock<PersonalPronouns> = LazyLock::new(|| {
    found_by(
        [
            r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|ME|MY)\b",
            r"\b(?:[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves|WE|OUR)\b",
            r"\b(?i:you|your|yours|yourself|yourselves)\b",
        ],
        "\u{201c}[^\u{201d}]*\u{201d}|\"[^\"]*\"",
        ["I or my", "we or our", "you or your"],
    )
});
/// "Sie" at the beginning of a sentence is just as often "she" or "they", so it is not counted.
static GERMAN: LazyLock<PersonalPronouns> = LazyLock::new(|| {
    found_by(
        [
            r"\b(?i:ich|mich|mir|mein(?:e[nmrs]?)?)\b",
            r"\b(?i:wir|uns|unser(?:e[nmrs]?)?)\b",
            r"\b(?i:du|dich|dir|dein(?:e[nmrs]?)?|euch|euer|eure[nmrs]?)\b|[\p{L}\p{N},;)\u{201c}\u{2013}-] (?P<word>Sie|Ihnen|Ihre?[nmrs]?)\b",
        ],
        "\u{201e}[^\u{201c}\u{201d}]*[\u{201c}\u{201d}]|\u{bb}[^\u{ab}]*\u{ab}|\"[^\"]*\"",
        ["ich or mein", "wir or unser", "Sie, du or dein"],
    )
});
/// "Ton" is also a noun, so it is not counted.
static FRENCH: LazyLock<PersonalPronouns> = LazyLock::new(|| {
    found_by(
        [
            r"\b(?i:je|moi|me|mon|ma|mes)\b|\b(?i:[jm])['\u{2019}]",
            r"\b(?i:nous|notre|nos|nôtres?)\b",
            r"\b(?i:tu|toi|te|ta|tes|vous|votre|vos|vôtres?)\b|\b(?i:t)['\u{2019}]",
        ],
        "\u{ab}[^\u{bb}]*\u{bb}|\u{201c}[^\u{201d}]*\u{201d}|\"[^\"]*\"",
        ["je or mon", "nous or notre", "vous, tu or votre"],
    )
});
/// "Su" and "sus" are also "his" and "their", so they are not counted.
static SPANISH: LazyLock<PersonalPronouns> = LazyLock::new(|| {
    found_by(
        [
            r"\b(?i:yo|me|mi|mis|mí|conmigo|mío|mía)\b",
            r"\b(?i:nosotr[oa]s|nos|nuestr[oa]s?)\b",
            r"\b(?i:tú|te|ti|tu|tus|contigo|tuy[oa]s?|usted|ustedes|vosotr[oa]s|os|vuestr[oa]s?)\b",
        ],
        "\u{ab}[^\u{bb}]*\u{bb}|\u{201c}[^\u{201d}]*\u{201d}|\"[^\"]*\"",
        ["yo or mi", "nosotros or nuestro", "usted, tú or tu"],
    )
});

/// Returns the patterns for a language.
pub(in super::super) fn personal_pronouns(language: SupportedLanguage) -> &'static PersonalPronouns {
    match language {
        SupportedLanguage::English => &ENGLISH,
        SupportedLanguage::German => &GERMAN,
        SupportedLanguage::French => &FRENCH,
        SupportedLanguage::Spanish => &SPANISH,
    }
}

fn found_by(pronouns: [&str; 3], quotation: &str, examples: [&'static str; 3]) -> PersonalPronouns {
    let compile = |source: &str| Regex::new(&in_any_form(source)).expect("the pattern is valid");
    PersonalPronouns { pronouns: pronouns.map(compile), quotation: compile(quotation), examples }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_counted_outside_quotations() {
        let counts = count_pronouns("I'm sure our shop in the US suits you, \u{201c}my friend\u{201d}. Ask us.");
        assert_eq!(counts, Pronouns { singular: 1, plural: 2, second: 1 });
    }

    #[test]
    fn each_language_has_its_own_pronouns_and_quotation_marks() {
        for (language, text, singular, plural, second) in [
            (
                SupportedLanguage::German,
                "Ich sage: Wir zeigen Ihnen \u{201e}mein Haus\u{201c}, und sie sehen ihre Wahl.",
                1,
                1,
                1,
            ),
            (
                SupportedLanguage::German,
                "Sie blüht im Mai. Sie nimmt dein Wasser. Was Sie sehen, gehört Ihnen.",
                0,
                0,
                3,
            ),
            (
                SupportedLanguage::French,
                "J\u{2019}ai notre plan, et vous \u{ab}\u{a0}mon ami\u{a0}\u{bb}. Tes notes, un ton.",
                1,
                1,
                2,
            ),
            (
                SupportedLanguage::Spanish,
                "Yo veo nuestro plan; usted \u{ab}mi amigo\u{bb}. Tu nota y la suya.",
                1,
                1,
                2,
            ),
        ] {
            assert_eq!(count_pronouns_in(language, text), Pronouns { singular, plural, second }, "{text}");
        }
    }
}
