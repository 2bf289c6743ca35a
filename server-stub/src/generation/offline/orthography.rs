//! How each language writes: quotation marks, the words between two clauses, elision, spaces before marks.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::WrittenLanguage;

use super::placeholder::Joint;

/// A space at which no line ends.
const FIXED_SPACE: char = '\u{a0}';

static FRENCH_ELISION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b((?i:d|qu|jusqu|lorsqu|puisqu|n))e (?P<vowel>[aeiouéèêàâîôûAEIOUÉÈÊÀÂÎÔ])")
        .expect("the pattern is valid")
});

/// The text in the quotation marks of the language.
pub(super) fn quoted(language: WrittenLanguage, text: &str) -> String {
    match language {
        WrittenLanguage::English => format!("\u{201c}{text}\u{201d}"),
        WrittenLanguage::German => format!("\u{201e}{text}\u{201c}"),
        WrittenLanguage::French => format!("\u{ab}{FIXED_SPACE}{text}{FIXED_SPACE}\u{bb}"),
        WrittenLanguage::Spanish => format!("\u{ab}{text}\u{bb}"),
    }
}

/// How two clauses join.
pub(super) fn joined(language: WrittenLanguage, joint: Joint) -> &'static str {
    match (language, joint) {
        (_, Joint::Semicolon) => "; ",
        (_, Joint::Colon) => ": ",
        (WrittenLanguage::English, Joint::And) => ", and ",
        (WrittenLanguage::English, Joint::But) => ", but ",
        (WrittenLanguage::English, Joint::So) => ", so ",
        (WrittenLanguage::German, Joint::And) => ", und ",
        (WrittenLanguage::German, Joint::But) => ", aber ",
        (WrittenLanguage::German, Joint::So) => "; deshalb ",
        (WrittenLanguage::French, Joint::And) => ", et ",
        (WrittenLanguage::French, Joint::But) => ", mais ",
        (WrittenLanguage::French, Joint::So) => ", donc ",
        (WrittenLanguage::Spanish, Joint::And) => ", y ",
        (WrittenLanguage::Spanish, Joint::But) => ", pero ",
        (WrittenLanguage::Spanish, Joint::So) => ", así que ",
    }
}

/// How the second of two clauses begins as a sentence.
pub(super) fn separate(language: WrittenLanguage, joint: Joint) -> &'static str {
    match (language, joint) {
        (_, Joint::And | Joint::Semicolon | Joint::Colon) => "",
        (WrittenLanguage::English, Joint::But) => "But ",
        (WrittenLanguage::English, Joint::So) => "So ",
        (WrittenLanguage::German, Joint::But) => "Aber ",
        (WrittenLanguage::German, Joint::So) => "Deshalb ",
        (WrittenLanguage::French, Joint::But) => "Mais ",
        (WrittenLanguage::French, Joint::So) => "Donc ",
        (WrittenLanguage::Spanish, Joint::But) => "Pero ",
        (WrittenLanguage::Spanish, Joint::So) => "Así que ",
    }
}

/// What the language does where two words of a template meet that did not know each other.
pub(super) fn finished(language: WrittenLanguage, text: &str) -> String {
    match language {
        WrittenLanguage::English | WrittenLanguage::German => text.to_owned(),
        WrittenLanguage::French => french(text),
        WrittenLanguage::Spanish => text.replace(" de el ", " del ").replace(" a el ", " al "),
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
        let french = |text| finished(WrittenLanguage::French, text);
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
        assert_eq!(finished(WrittenLanguage::Spanish, "Parte de el agua."), "Parte del agua.");
    }
}
