//! Small changes to English wording: person, contractions, capitals. When they are made is decided in `sentence_renderer`.

use std::sync::LazyLock;

use regex::Regex;

/// How the reader is spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Addressed as "you".
    You,
    /// Addressed informally, in languages that tell a friend from a stranger.
    Friend,
    /// Not addressed; these people are spoken of instead.
    Others(&'static str),
    /// Not addressed, in languages in which nobody is spoken of instead.
    Nobody,
}

static READER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?i:you are|yourself|yours|your|you)\b").expect("the pattern is valid"));
static FIRST_PERSON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:[Ww]e are|[Ww]e were|[Ww]e|[Oo]urs|[Oo]ur|us|ourselves)\b").expect("the pattern is valid")
});
static NEGATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Ss]hould|[Ww]ould|[Cc]ould) not\b")
        .expect("the pattern is valid")
});
static A_BEFORE_VOWEL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([Aa]) ([aei]|o[^n]|un[aceifr])").expect("the pattern is valid"));
static AN_BEFORE_CONSONANT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([Aa])n ([b-dfgj-np-tv-z])").expect("the pattern is valid"));
static WILL_NOT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bwill not\b").expect("the pattern is valid"));

/// Words after which a pronoun is an object.
const TAKES_OBJECT: &str = " to for with of about help helps give gives tell tells show shows let lets make makes cost costs save saves \
    lead leads teach teaches stop stops keep keeps ask asks suit suits from between around on surprise at remind reminds \
    buy buys serve serves ";

/// The text as it speaks of the given reader; `text` is written to "you".
pub(super) fn address(text: &str, reader: Reader) -> String {
    let Reader::Others(noun) = reader else {
        return text.to_owned();
    };
    let mut named = false;
    let mut changed = String::with_capacity(text.len() + 16);
    let mut done = 0;
    for found in READER.find_iter(text) {
        let before = text[..found.start()].trim_end();
        let previous =
            before.rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or("").to_lowercase();
        let is_object = TAKES_OBJECT.contains(&format!(" {previous} "));
        let word = match (found.as_str().to_lowercase().as_str(), named) {
            ("your", false) if text[found.end()..].starts_with(" own") => "one\u{2019}s",
            ("your", false) => "the",
            ("your", true) => "their",
            ("yours", _) => "theirs",
            ("yourself", _) => "themselves",
            ("you are", true) => "they are",
            ("you are", false) => &format!("{noun} are"),
            (_, true) if is_object => "them",
            (_, true) => "they",
            (_, false) => noun,
        };
        named |= !found.as_str().to_lowercase().starts_with("your");
        changed.push_str(&text[done..found.start()]);
        changed.push_str(word);
        done = found.end();
    }
    changed.push_str(&text[done..]);
    changed
}

/// A text that "we" speak, spoken by "I".
pub(super) fn spoken_by_one(text: &str) -> String {
    FIRST_PERSON
        .replace_all(text, |found: &regex::Captures<'_>| match &found[0] {
            "We are" | "we are" => "I am",
            "We were" | "we were" => "I was",
            "We" | "we" => "I",
            "Ours" | "ours" => "mine",
            "Our" => "My",
            "our" => "my",
            "us" => "me",
            _ => "myself",
        })
        .into_owned()
}

/// Negations in their short form.
pub(super) fn contracted(text: &str) -> String {
    if !text.contains("not") {
        return text.to_owned();
    }
    let text = NEGATION.replace_all(text, "${1}n\u{2019}t");
    WILL_NOT.replace_all(&text, "won\u{2019}t").replace("cannot", "can\u{2019}t").replace("Cannot", "Can\u{2019}t")
}

/// The text with "an" before a vowel and "a" before a consonant, as far as letters tell.
pub(super) fn with_matching_articles(text: &str) -> String {
    let text = A_BEFORE_VOWEL.replace_all(text, "${1}n ${2}");
    AN_BEFORE_CONSONANT.replace_all(&text, "${1} ${2}").into_owned()
}

/// The text with its first letter large.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text with its first letter large, also where a quotation mark or an opening question mark stands before it.
pub(super) fn capitalised_in_marks(text: &str) -> String {
    let begins = text.find(char::is_alphanumeric).unwrap_or(0);
    let (marks, rest) = text.split_at(begins);
    format!("{marks}{}", capitalised(rest))
}

/// The text with its first letter small, unless the word is "I" or has another capital.
pub(super) fn uncapitalised(text: &str) -> String {
    let first_word = text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or("");
    let is_name =
        first_word == "I" || first_word.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_numeric());
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !is_name => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_can_be_spoken_of_in_the_third_person() {
        let others = Reader::Others("people");
        assert_eq!(
            address("Write your goal down before you spend your money.", others),
            "Write the goal down before people spend their money."
        );
        assert_eq!(
            address("If you are new, it helps you to ask what suits you.", others),
            "If people are new, it helps them to ask what suits them."
        );
    }

    #[test]
    fn the_first_person_can_be_singular() {
        assert_eq!(spoken_by_one("We are sure of our plan, and we like it."), "I am sure of my plan, and I like it.");
    }

    #[test]
    fn a_sentence_begins_with_a_capital_inside_its_quotation_marks() {
        assert_eq!(capitalised_in_marks("\u{ab}dormir mejor\u{bb} cuesta."), "\u{ab}Dormir mejor\u{bb} cuesta.");
        assert_eq!(capitalised_in_marks("\u{bf}qu\u{e9} es?"), "\u{bf}Qu\u{e9} es?");
        assert_eq!(capitalised_in_marks("..."), "...");
    }

    #[test]
    fn negations_contract() {
        assert_eq!(
            contracted("Do not wait; it will not hurt, you will notice."),
            "Don\u{2019}t wait; it won\u{2019}t hurt, you will notice."
        );
    }
}
