//! Personal pronouns of each language, and its quotation marks. `rules::viewpoint` checks the requirements of a profile.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::supported_language::SupportedLanguage;

/// Patterns for the pronouns of a language.
#[derive(Debug)]
pub(super) struct PersonalPronouns {
    /// First person singular, first person plural, and second person. If the group `word` matches, it is the pronoun.
    pub(super) pronouns: [Regex; 3],
    /// Quotations, whose pronouns are not counted.
    pub(super) quotation: Regex,
    /// Examples that name each person in a report.
    pub(super) examples: [&'static str; 3],
}

impl PersonalPronouns {
    /// Returns the places of the person at `index` of `pronouns` in a text without quotations.
    pub(super) fn places<'t>(&'t self, index: usize, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
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
pub(super) fn personal_pronouns(language: SupportedLanguage) -> &'static PersonalPronouns {
    match language {
        SupportedLanguage::English => &ENGLISH,
        SupportedLanguage::German => &GERMAN,
        SupportedLanguage::French => &FRENCH,
        SupportedLanguage::Spanish => &SPANISH,
    }
}

fn found_by(pronouns: [&str; 3], quotation: &str, examples: [&'static str; 3]) -> PersonalPronouns {
    let compile = |source: &str| Regex::new(source).expect("the pattern is valid");
    PersonalPronouns { pronouns: pronouns.map(compile), quotation: compile(quotation), examples }
}
