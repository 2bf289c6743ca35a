//! How each language writes: quotation marks, the words between two clauses, elision, spaces before marks.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::SupportedLanguage;

use super::placeholder::Joint;

/// A space at which no line ends.
const FIXED_SPACE: char = '\u{a0}';

static FRENCH_ELISION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b((?i:d|qu|jusqu|lorsqu|puisqu|n))e (?P<vowel>[aeiouéèêàâîôûAEIOUÉÈÊÀÂÎÔ])")
        .expect("the pattern is valid")
});

/// The text in the quotation marks of the language.
pub(super) fn quoted(language: SupportedLanguage, text: &str) -> String {
    match language {
        SupportedLanguage::English => format!("\u{201c}{text}\u{201d}"),
        SupportedLanguage::German => format!("\u{201e}{text}\u{201c}"),
        SupportedLanguage::French => format!("\u{ab}{FIXED_SPACE}{text}{FIXED_SPACE}\u{bb}"),
        SupportedLanguage::Spanish => format!("\u{ab}{text}\u{bb}"),
    }
}

/// How two clauses join.
pub(super) fn joined(language: SupportedLanguage, joint: Joint) -> &'static str {
    match (language, joint) {
        (_, Joint::Semicolon) => "; ",
        (_, Joint::Colon) => ": ",
        (SupportedLanguage::English, Joint::And) => ", and ",
        (SupportedLanguage::English, Joint::But) => ", but ",
        (SupportedLanguage::English, Joint::So) => ", so ",
        (SupportedLanguage::German, Joint::And) => ", und ",
        (SupportedLanguage::German, Joint::But) => ", aber ",
        (SupportedLanguage::German, Joint::So) => "; deshalb ",
        (SupportedLanguage::French, Joint::And) => ", et ",
        (SupportedLanguage::French, Joint::But) => ", mais ",
        (SupportedLanguage::French, Joint::So) => ", donc ",
        (SupportedLanguage::Spanish, Joint::And) => ", y ",
        (SupportedLanguage::Spanish, Joint::But) => ", pero ",
        (SupportedLanguage::Spanish, Joint::So) => ", así que ",
    }
}

/// How the second of two clauses begins as a sentence.
pub(super) fn separate(language: SupportedLanguage, joint: Joint) -> &'static str {
    match (language, joint) {
        (_, Joint::And | Joint::Semicolon | Joint::Colon) => "",
        (SupportedLanguage::English, Joint::But) => "But ",
        (SupportedLanguage::English, Joint::So) => "So ",
        (SupportedLanguage::German, Joint::But) => "Aber ",
        (SupportedLanguage::German, Joint::So) => "Deshalb ",
        (SupportedLanguage::French, Joint::But) => "Mais ",
        (SupportedLanguage::French, Joint::So) => "Donc ",
        (SupportedLanguage::Spanish, Joint::But) => "Pero ",
        (SupportedLanguage::Spanish, Joint::So) => "Así que ",
    }
}

/// What the language does where two words of a template meet that did not know each other.
pub(super) fn finished(language: SupportedLanguage, text: &str) -> String {
    match language {
        SupportedLanguage::English | SupportedLanguage::German => text.to_owned(),
        SupportedLanguage::French => french(text),
        SupportedLanguage::Spanish => text.replace(" de el ", " del ").replace(" a el ", " al "),
    }
}

fn french(text: &str) -> String {
    let elided = FRENCH_ELISION.replace_all(text, "${1}\u{2019}${vowel}");
    let mut spaced = String::with_capacity(elided.len() + 8);
    let mut rest = elided.chars().peekable();
    while let Some(character) = rest.next() {
        let ends_word = rest.peek().is_none_or(|next| next.is_whitespace() || *next == '\u{bb}');
        let takes_space = matches!(character, ':' | ';' | '?' | '!' | '\u{bb}');
        if takes_space && spaced.ends_with(' ') {
            spaced.pop();
            spaced.push(FIXED_SPACE);
        } else if ends_word && matches!(character, ';' | '?' | '!') && !spaced.ends_with(FIXED_SPACE) {
            spaced.push(FIXED_SPACE);
        }
        let follows_quote = character == ' ' && spaced.ends_with('\u{ab}');
        spaced.push(if follows_quote { FIXED_SPACE } else { character });
    }
    spaced.replace(": ", "\u{a0}: ").replace("\u{a0}\u{a0}:", "\u{a0}:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_elides_and_spaces() {
        let french = |text| finished(SupportedLanguage::French, text);
        assert_eq!(
            french("Avant de observer, il est bon de le savoir."),
            "Avant d\u{2019}observer, il est bon de le savoir."
        );
        assert_eq!(
            french("Pourquoi: \u{ab} Le pain \u{bb}?"),
            "Pourquoi\u{a0}: \u{ab}\u{a0}Le pain\u{a0}\u{bb}\u{a0}?"
        );
        assert_eq!(french("Il y a deux choses; c\u{2019}est tout."), "Il y a deux choses\u{a0}; c\u{2019}est tout.");
        assert_eq!(french("Elle a un plan."), "Elle a un plan.");
        assert_eq!(french("0;a"), "0;a");
    }

    #[test]
    fn spanish_contracts() {
        assert_eq!(finished(SupportedLanguage::Spanish, "Parte de el agua."), "Parte del agua.");
    }
}
