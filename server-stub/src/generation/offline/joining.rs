//! Joining finished English sentences of a paragraph, the more of them the more elaborate the text shall be.

use crate::domain::voice::{SupportedLanguage, words};

use super::sentence_renderer::SentenceRenderer;
use super::wording::uncapitalised;

/// Degree from which semicolons join neighbouring sentences.
const SEMICOLONS_FROM: f64 = 0.9;
/// Degree from which "and" joins a sentence to the one that it continues.
const AND_JOINS_FROM: f64 = 0.35;
/// Most words of a sentence that "and" has joined.
const MAX_AND_JOINED_WORDS: usize = 27;
/// Degree above which more than two sentences may be joined.
const CHAINS_ABOVE: f64 = 1.5;

/// Joins some of the sentences; which ones depends on the dice at `place`.
pub(super) fn join_sentences(
    renderer: &SentenceRenderer<'_>,
    sentences: Vec<String>,
    elaboration: f64,
    place: u64,
) -> Vec<String> {
    // In other languages a small first letter may be wrong: German nouns keep theirs large.
    if elaboration < AND_JOINS_FROM || renderer.rules.language != SupportedLanguage::English {
        return sentences;
    }
    let longest = renderer.rules.voice.max_sentence_words as usize;
    let mut joined: Vec<String> = Vec::with_capacity(sentences.len());
    for (at, sentence) in (0_u64..).zip(sentences) {
        let chance = renderer.dice.share(place * 64 + at + 32);
        let joint = joined.last().filter(|last| last.ends_with('.') && sentence.ends_with('.')).and_then(|last| {
            let length = words(last).count() + words(&sentence).count() + 1;
            let flows = continues_previous(&sentence)
                && length <= MAX_AND_JOINED_WORDS
                && !last.contains([';', ':'])
                && !last.contains(", and ");
            let may_chain = elaboration > CHAINS_ABOVE || !last.contains([';', ':']) && !sentence.contains([';', ':']);
            match length <= longest {
                true if flows && chance < elaboration - AND_JOINS_FROM => Some(", and "),
                true if may_chain && chance < elaboration - SEMICOLONS_FROM => Some("; "),
                _ => None,
            }
        });
        match (joint, joined.last_mut()) {
            (Some(joint), Some(last)) => {
                last.pop();
                last.push_str(joint);
                last.push_str(&uncapitalised(&sentence));
            }
            _ => joined.push(sentence),
        }
    }
    joined
}

/// Whether a sentence carries on from the one before it, so that "and" can join them.
fn continues_previous(sentence: &str) -> bool {
    ["You will ", "You can ", "You may ", "You then ", "You also ", "That ", "It also ", "They also "]
        .iter()
        .any(|start| sentence.starts_with(start))
}
