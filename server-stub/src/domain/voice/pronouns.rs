//! The personal pronouns of each language, and the marks of its quotations. What a profile demands is in `rules::viewpoint`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::supported_language::SupportedLanguage;

/// How the pronouns of one language are found.
#[derive(Debug)]
pub(super) struct PersonalPronouns {
    /// The first person in the singular and in the plural, and the second person. Where the group `word` takes part, it is the pronoun.
    pub(super) pronouns: [Regex; 3],
    /// Quotations, whose pronouns do not count.
    pub(super) quotation: Regex,
    /// What stands for each person where a report names it.
    pub(super) examples: [&'static str; 3],
}

impl PersonalPronouns {
    /// Where the person at `index` of `pronouns` shows in a text without quotations.
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
/// A "Sie" that begins a sentence is "she" or "they" as often, so it does not count.
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
/// "Ton" is a noun as well, and so does not count.
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
/// "Su" and "sus" are "his" and "their" as well, so they do not count.
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

/// What finds the pronouns of a language.
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
