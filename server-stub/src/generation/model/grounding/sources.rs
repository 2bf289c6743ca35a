//! Sources of an article: the request and the voice profile.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::generation::generator::ArticleBrief;

use super::super::text::one_line;
use super::addresses::{addresses, canonical};
use super::patterns::{NUMBER, canonical_number};

/// Texts that count as a source for claims.
#[derive(Debug)]
pub(super) struct Sources {
    /// All texts in lower case, with one space between words, straight quotation marks and straight apostrophes.
    text: String,
    numbers: HashSet<String>,
    addresses: HashSet<String>,
    /// URLs of the website's published articles.
    links: HashSet<String>,
}

impl Sources {
    pub(super) fn of(brief: &ArticleBrief) -> Self {
        let voice = &brief.voice;
        let called = voice.cta.as_ref().and_then(|cta| cta.url.as_deref());
        let pairs = voice.vocabulary.replace.iter().map(|pair| pair.to.as_str());
        let texts = [brief.topic.as_str(), &brief.website.name, &voice.audience]
            .into_iter()
            .chain(brief.keywords.iter().map(String::as_str))
            .chain(voice.boilerplate.as_deref())
            .chain(voice.cta.iter().map(|cta| cta.text.as_str()))
            .chain(voice.dos.iter().chain(&voice.samples).map(String::as_str))
            .chain(voice.vocabulary.prefer.iter().map(|prefer| prefer.term.as_str()))
            .chain(pairs);
        let texts: Vec<String> = texts.map(one_line).collect();
        // The line feed prevents matches across two texts.
        let whole = texts.join("\n");
        Self {
            numbers: NUMBER.find_iter(&whole).map(|found| canonical_number(found.as_str())).collect(),
            addresses: addresses(&whole).map(|found| canonical(&whole[found])).collect(),
            // The profile allows one link to the target of the call to action, and the server adds that link.
            links: brief
                .published
                .iter()
                .map(|link| &link.url)
                .filter(|url| called != Some(url.as_str()))
                .cloned()
                .collect(),
            text: folded(&whole),
        }
    }

    /// Returns true if a source contains this number with the same unit.
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(&canonical_number(number))
    }

    /// Returns true if a source contains this address.
    pub(super) fn has_address(&self, address: &str) -> bool {
        self.addresses.contains(&canonical(address))
    }

    /// Returns true if a source contains these words in sequence, as whole words.
    pub(super) fn has_words(&self, words: &str) -> bool {
        let words = folded(&one_line(words));
        let words = words.trim_matches(|character: char| !character.is_alphanumeric());
        !words.is_empty() && self.text.match_indices(words).any(|(at, _)| is_whole(&self.text, at, at + words.len()))
    }

    /// Returns true if the URL is a published article that may be linked to.
    pub(super) fn has_link(&self, url: &str) -> bool {
        self.links.contains(url)
    }
}

fn is_whole(text: &str, start: usize, end: usize) -> bool {
    // In a script without spaces, a word may end between two letters.
    let is_inside = |at: usize| {
        let around = [text[..at].chars().next_back(), text[at..].chars().next()];
        let pair: String = around.into_iter().flatten().filter(|letter| letter.is_alphanumeric()).collect();
        pair.chars().count() == 2 && pair.unicode_words().count() == 1
    };
    !is_inside(start) && !is_inside(end)
}

fn folded(text: &str) -> String {
    text.to_lowercase().replace(['\u{2018}', '\u{2019}'], "'").replace(['\u{201c}', '\u{201d}'], "\"")
}
