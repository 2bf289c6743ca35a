//! An ordered topic as it stands in English sentences. The forms that it can have are in `topic_forms`.

use crate::domain::voice::{Contractions, content_words};

use super::plain_text::written_out;
use super::profile_rules::ProfileRules;
use super::topic::Topic;
use super::topic_facets::{object_of, setting_of};
use super::topic_forms::{self, Form};
use super::topic_phrase::without_banned;
use super::topic_words::relaxed;
use super::wording::{Reader, capitalised};

/// Reads the phrase of a topic; `is_question` tells whether it ended with a question mark.
pub(super) fn read(phrase: &str, is_question: bool, rules: &ProfileRules<'_>) -> Topic {
    let phrase = without_banned(&fitted(phrase, rules), rules);
    let mut form = if phrase.is_empty() { Form::unnamed() } else { topic_forms::read(&phrase, is_question) };
    form.noun = acceptable(&form.noun, rules).unwrap_or_else(|| Form::unnamed().noun);
    let may_say = |text: &String| rules.allows(text) && !rules.banned.matches(text);
    let options = form.options.map(|(first, second)| (settled(&first), settled(&second)));
    let short = match (&form.question, &options) {
        (Some(_), _) if form.noun.starts_with("the question") => "this question".to_owned(),
        (_, Some(_)) => "the two".to_owned(),
        (_, None) => definite(&short_noun(&form.noun)),
    };
    let short = if rules.allows(&short) { short } else { "this".to_owned() };
    let is_plain = options.is_none();
    Topic {
        bare: Some(capitalised(&form.noun)),
        how_to: form.how_to.map(|text| settled(&text)).filter(may_say),
        short,
        this: Some("this".to_owned()),
        question: form.question.map(|text| to_reader(&text)).filter(may_say),
        options: options.filter(|(first, second)| rules.allows(first) && rules.allows(second)),
        object: object_of(&form.noun).filter(|_| is_plain).filter(may_say),
        setting: setting_of(&form.noun).filter(|_| form.is_named).filter(may_say),
        list_title: form.list_title.map(|text| capitalised(&settled(&text))).filter(may_say),
        list_length: form.list_length,
        purpose: form.purpose,
        noun: form.noun,
        ..Topic::default()
    }
}

/// The phrase in the profile's words and person, without headline capitals.
fn fitted(phrase: &str, rules: &ProfileRules<'_>) -> String {
    let (subject, possessive) = match rules.reader {
        Reader::You => ("you", "your"),
        Reader::Others(noun) => (noun, "the"),
        Reader::Friend | Reader::Nobody => ("people", "the"),
    };
    let shouts =
        phrase.chars().filter(|letter| letter.is_alphabetic()).count() > 8 && !phrase.chars().any(char::is_lowercase);
    let phrase = if shouts { phrase.to_lowercase() } else { phrase.to_owned() };
    let phrase = if rules.voice.contractions == Contractions::Avoid { written_out(&phrase) } else { phrase };
    let asks_how = phrase.to_lowercase().starts_with("how ") || phrase.contains(" I ") || phrase.contains(" we ");
    let words: Vec<String> = phrase
        .split(' ')
        .enumerate()
        .map(|(at, word)| match word {
            "my" | "My" | "our" | "Our" | "your" | "Your" => possessive.to_owned(),
            "me" | "us" => subject.to_owned(),
            "myself" | "ourselves" if subject == "you" => "yourself".to_owned(),
            "I" | "i" | "we" | "We" if !asks_how => subject.to_owned(),
            _ => relaxed(word, at == 0),
        })
        .collect();
    rules.replaced(&words.join(" "))
}

/// The noun phrase if the profile allows it, else less of it, else in quotation marks.
fn acceptable(noun: &str, rules: &ProfileRules<'_>) -> Option<String> {
    let noun = settled(noun);
    let bare = without_banned(&noun, rules);
    let unbroken = bare.replace(['\'', '\u{2019}'], "");
    let quoted = format!("\u{201c}{}\u{201d}", bare.replace(['\u{201c}', '\u{201d}'], ""));
    let quoted_unbroken = quoted.replace(['\'', '\u{2019}'], "");
    [noun.clone(), bare, unbroken, quoted, quoted_unbroken]
        .into_iter()
        .find(|text| text.chars().any(char::is_alphanumeric) && rules.allows(text) && !rules.banned.matches(text))
}

/// The phrase with "the" for "a".
fn definite(noun: &str) -> String {
    match noun.split_once(' ') {
        Some(("a" | "an", rest)) => format!("the {rest}"),
        _ => noun.to_owned(),
    }
}

/// The head of a long noun phrase: what stands before its last additions.
fn short_noun(noun: &str) -> String {
    let words: Vec<&str> = noun.split(' ').collect();
    let heads = if words[0].ends_with("ing") && words.len() > 1 { 2 } else { 1 };
    let adds = |word: &str| {
        " for in with on at when before after without by from during under between ".contains(&format!(" {word} "))
    };
    let cut = (1..words.len()).find(|&at| adds(words[at]) && content_words(&words[..at].join(" ")).len() >= heads);
    match cut {
        Some(at) if !noun.starts_with(['\u{201c}']) => words[..at].join(" "),
        _ => noun.to_owned(),
    }
}

/// A question that someone asked for themselves, put to the reader.
fn to_reader(question: &str) -> String {
    let words: Vec<&str> = question
        .split(' ')
        .map(|word| match word {
            "I" | "i" | "we" | "me" | "us" => "you",
            _ => word,
        })
        .collect();
    capitalised(&words.join(" "))
}

/// Small words that a reading has put in the middle lose their capital.
fn settled(text: &str) -> String {
    let words: Vec<String> = text.split(' ').enumerate().map(|(at, word)| relaxed(word, at == 0)).collect();
    words.join(" ")
}
