//! Rules for the shape of every article, independent of the profile: length, headings, questions, keywords, language.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::language::{is_english, is_question};
use super::super::manuscript::{Manuscript, PassageKind};
use super::super::profile::BrandVoice;
use super::report::VoiceCheck;
use super::wording::emoji;
use crate::domain::unicode_form::composed;

/// Maximum deviation from the requested number of words, as a fraction.
pub const WORD_COUNT_TOLERANCE: f64 = 0.15;
/// Minimum number of level-two headings of an article.
const MIN_SECTIONS: usize = 3;

const FUNCTION_WORDS: &str = " a about all an and any are as at be been but by can could did do does for from get had has have how i if in is it its \
    me more most my no not of on or our out should so some such than that the their them then there these they this those to too \
    up us versus vs was we were what when where which who why will with without would you your ";

pub(super) fn faq_count(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let faq = manuscript.input.faq;
    let asked = faq.iter().all(|entry| is_question(&entry.question));
    let observed =
        if asked { faq.len().to_string() } else { format!("{}, not all end with a question mark", faq.len()) };
    VoiceCheck::measured(
        "faq_count",
        asked && faq.len() == voice.faq_count as usize,
        voice.faq_count.to_string(),
        observed,
    )
}

pub(super) fn word_count(manuscript: &Manuscript<'_>) -> VoiceCheck {
    let (target, count) = (f64::from(manuscript.input.target_word_count), f64::from(manuscript.input.word_count));
    let passed = (count - target).abs() <= target * WORD_COUNT_TOLERANCE;
    VoiceCheck::measured("word_count", passed, format!("{target} within 15 %"), count.to_string())
}

pub(super) fn structure(manuscript: &Manuscript<'_>) -> VoiceCheck {
    let headings: Vec<(u8, &str)> = manuscript
        .passages
        .iter()
        .filter_map(|passage| match passage.kind {
            PassageKind::Heading(level) => Some((level, passage.text.as_str())),
            _ => None,
        })
        .collect();
    let outline = manuscript.input.outline;
    let sections = headings.iter().filter(|(level, _)| *level == 2).count();
    let skipped = headings
        .iter()
        .scan(1, |above, (level, _)| Some(*level > std::mem::replace(above, *level) + 1))
        .any(|skips| skips);
    let anchors: HashSet<&str> = outline.iter().map(|entry| entry.anchor.as_str()).collect();
    let same = outline.len() == headings.len()
        && outline.iter().zip(&headings).all(|(entry, (level, text))| entry.level == *level && entry.text == *text);
    let observed = if headings.iter().any(|(level, _)| *level == 1) {
        "a heading of level one"
    } else if has_empty_section(manuscript) {
        "a heading without text"
    } else if sections < MIN_SECTIONS {
        "too few sections"
    } else if skipped {
        "a skipped level"
    } else if anchors.len() != outline.len() {
        "an anchor used twice"
    } else if !same {
        "an outline that differs from the headings"
    } else {
        "in order"
    };
    VoiceCheck::measured(
        "structure",
        observed == "in order",
        "three sections or more, each with text, levels in order, unique anchors",
        observed,
    )
}

/// Returns true if a heading has no text before the next heading of its level or above, or before the end.
fn has_empty_section(manuscript: &Manuscript<'_>) -> bool {
    let mut open = None;
    for passage in &manuscript.passages {
        match passage.kind {
            PassageKind::Heading(level) if open.is_some_and(|above| level <= above) => return true,
            PassageKind::Heading(level) => open = Some(level),
            _ => open = None,
        }
    }
    open.is_some()
}

pub(super) fn keyword_use(manuscript: &Manuscript<'_>) -> VoiceCheck {
    let input = &manuscript.input;
    let text = normalized(&manuscript.lines().collect::<Vec<_>>().join("\n"));
    let missing: Vec<&str> = input
        .keywords
        .iter()
        .map(String::as_str)
        .filter(|keyword| !contains_normalized(&text, &normalized(keyword)))
        .collect();
    let opening = normalized(&format!("{} {}", input.title, manuscript.first_paragraph()));
    let topic_words = content_words(input.topic);
    let topic_words: Vec<&str> = topic_words.iter().flat_map(|word| names(word)).collect();
    let on_topic = topic_words.is_empty() || topic_words.iter().any(|word| contains_normalized(&opening, word));
    let mut observed =
        if missing.is_empty() { "all present".to_owned() } else { format!("missing: {}", missing.join(", ")) };
    if !on_topic {
        observed.push_str(", the opening does not name the topic");
    }
    VoiceCheck::measured(
        "keyword_use",
        missing.is_empty() && on_topic,
        "each keyword, and the topic in the opening",
        observed,
    )
}

pub(super) fn language(manuscript: &Manuscript<'_>) -> VoiceCheck {
    let (ordered, found) = (manuscript.input.ordered_language, manuscript.input.language);
    let check = VoiceCheck::measured("language", ordered == found, ordered, found);
    if is_english(found) || !check.passed {
        check
    } else {
        VoiceCheck { expected: Some(ordered.to_owned()), ..VoiceCheck::not_measured("language") }
    }
}

/// Returns the words of a text, reduced to lower-case letters and digits in NFC, separated by one space.
pub fn normalized(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    let mut buffer = [0; 4];
    for word in composed(text).split_whitespace() {
        let before = normalized.len();
        if before > 0 {
            normalized.push(' ');
        }
        let kept = normalized.len();
        // Remove pictographs first: the lower case of Ⓜ is not a pictograph. Filter letters last: lower-casing may add marks.
        let readable =
            word.chars().filter(|letter| letter.is_ascii() || emoji(letter.encode_utf8(&mut buffer)).is_none());
        normalized.extend(readable.flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()));
        if normalized.len() == kept {
            normalized.truncate(before);
        }
    }
    normalized
}

/// Returns the normalized content words of a topic. Marks of tags and addresses separate words.
pub fn content_words(topic: &str) -> Vec<String> {
    normalized(&topic.replace(['<', '>', '/'], " "))
        .split(' ')
        .filter(|word| !word.is_empty() && !FUNCTION_WORDS.contains(&format!(" {word} ")))
        .map(str::to_owned)
        .collect()
}

/// Returns the words of a run of letters that name something: the run itself, or, in a script without spaces, its segments other than
/// those of Hiragana, which have grammar only.
fn names(run: &str) -> impl Iterator<Item = &str> {
    run.unicode_words().filter(|word| !word.chars().all(|letter| matches!(letter, '\u{3041}'..='\u{309f}')))
}

fn contains_normalized(text: &str, wanted: &str) -> bool {
    wanted.is_empty() || text.contains(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_topic_are_found_without_spaces_too() {
        assert_eq!(names("ライ麦のパンを焼く").collect::<Vec<_>>(), ["ライ", "麦", "パン", "焼"]);
    }

    #[test]
    fn folding_keeps_letters_and_digits_only() {
        assert_eq!(normalized("\u{130}"), normalized("i\u{307}"));
        assert_eq!(normalized("Cre\u{300}me bru\u{302}le\u{301}e"), "crème brûlée");
        assert_eq!(normalized("  Don't — panic,\nC3PO! ℹ "), "dont panic c3po");
        assert_eq!(normalized("\u{24c2} metro"), "metro");
        assert_eq!(content_words("How do I fix a bike?"), ["fix", "bike"]);
        assert_eq!(content_words("<b>Hello</b>"), ["b", "hello", "b"]);
    }
}
