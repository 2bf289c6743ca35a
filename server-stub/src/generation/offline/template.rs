//! The notation of one template: fixed words, `[a|b]` choices, `<a|b>` forms of address, `{name}` slots and joints such as
//! ` +and `. Choices may hold anything, also further choices. Which one is made is decided in `sentence_renderer`.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::voice::syllables;

use super::placeholder::{Joint, Slot};

/// One piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Words(String),
    Choice(Vec<Alternative>),
    /// The same said to readers who are addressed (formally, informally) and to those who are not.
    Address(Vec<Vec<Piece>>),
    Slot(Slot),
    Joint(Joint),
}

/// One way to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alternative {
    pub(super) pieces: Vec<Piece>,
    /// Its fixed words.
    pub(super) words: String,
    /// Syllables of its fixed words.
    pub(super) syllables: usize,
    /// The most words it can become; slots count nothing.
    length: usize,
}

impl Piece {
    /// The most words that the piece can become; slots count nothing.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Words(words) => words.unicode_words().count(),
            Self::Choice(alternatives) => alternatives.iter().map(|one| one.length).max().unwrap_or(0),
            Self::Address(forms) => forms.iter().map(|form| form.iter().map(Self::length).sum()).max().unwrap_or(0),
            Self::Slot(_) | Self::Joint(_) => 0,
        }
    }

    fn mentions(&self, slot: Slot) -> bool {
        match self {
            Self::Slot(own) => *own == slot,
            Self::Choice(alternatives) => {
                alternatives.iter().any(|one| one.pieces.iter().any(|piece| piece.mentions(slot)))
            }
            Self::Address(forms) => forms.iter().flatten().any(|piece| piece.mentions(slot)),
            Self::Words(_) | Self::Joint(_) => false,
        }
    }
}

/// Who speaks in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// Nobody.
    None,
    /// "We", marked `we>`.
    We,
    /// "I", marked `i>`, in languages in which it cannot be made from "we".
    One,
}

/// A template sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template {
    /// Unique within the prose of a language.
    pub(super) number: u64,
    pub(super) pieces: Vec<Piece>,
    pub(super) speaker: Speaker,
    /// Letters of the purposes that it serves; empty where it serves all.
    pub(super) purposes: String,
}

impl Template {
    pub(super) fn parse(number: u64, source: &str) -> Self {
        let mut speaker = Speaker::None;
        let mut purposes = String::new();
        let mut source = source;
        if let Some((mark, rest)) = source.split_once("> ").filter(|(mark, _)| is_mark(mark)) {
            source = rest;
            match mark {
                "we" => speaker = Speaker::We,
                "i" => speaker = Speaker::One,
                letters => letters.clone_into(&mut purposes),
            }
        }
        let (pieces, _) = parse_pieces(source, "");
        Self { number, pieces, speaker, purposes }
    }

    /// Whether the slot occurs anywhere.
    pub(super) fn has(&self, slot: Slot) -> bool {
        self.pieces.iter().any(|piece| piece.mentions(slot))
    }

    /// Whether the sentence cannot be said without the slot.
    pub(super) fn requires(&self, slot: Slot) -> bool {
        self.pieces.contains(&Piece::Slot(slot))
    }
}

fn is_mark(mark: &str) -> bool {
    !mark.is_empty() && mark.len() <= 4 && mark.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Reads pieces until one of the closing marks, or to the end; returns what is left, the mark included.
fn parse_pieces<'s>(source: &'s str, closing: &str) -> (Vec<Piece>, &'s str) {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        if closing.contains(character) {
            break;
        }
        let special = match character {
            '[' => {
                let (forms, after) = parse_alternatives(&rest[1..], "|]");
                Some((Piece::Choice(forms.into_iter().map(alternative).collect()), after))
            }
            '<' => {
                let (forms, after) = parse_alternatives(&rest[1..], "|>");
                Some((Piece::Address(forms), after))
            }
            '{' => {
                rest.split_once('}').and_then(|(inside, after)| Some((Piece::Slot(Slot::named(&inside[1..])?), after)))
            }
            ' ' => Joint::read(rest).map(|(joint, after)| (Piece::Joint(joint), after)),
            _ => None,
        };
        if let Some((piece, after)) = special {
            if !words.is_empty() {
                pieces.push(Piece::Words(std::mem::take(&mut words)));
            }
            pieces.push(piece);
            rest = after;
        } else {
            words.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    if !words.is_empty() {
        pieces.push(Piece::Words(words));
    }
    (pieces, rest)
}

/// Reads `a|b` up to the closing mark, which is the last of `marks`.
fn parse_alternatives<'s>(source: &'s str, marks: &str) -> (Vec<Vec<Piece>>, &'s str) {
    let mut forms = Vec::new();
    let mut rest = source;
    loop {
        let (pieces, after) = parse_pieces(rest, marks);
        forms.push(pieces);
        let goes_on = after.starts_with('|');
        rest = after.get(1..).unwrap_or_default();
        if !goes_on {
            return (forms, rest);
        }
    }
}

fn alternative(pieces: Vec<Piece>) -> Alternative {
    let mut words = String::new();
    collect_words(&pieces, &mut words);
    let weight = words.split_whitespace().map(syllables).sum();
    let length = pieces.iter().map(Piece::length).sum();
    Alternative { pieces, words, syllables: weight, length }
}

fn collect_words(pieces: &[Piece], words: &mut String) {
    for piece in pieces {
        if let Piece::Words(own) = piece {
            words.push_str(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_taken_apart_into_its_pieces() {
        let sentence = Template::parse(1, "we> Plan {topic} [well|with {record}] +but <be|stay> calm.");
        assert!(sentence.speaker == Speaker::We && sentence.requires(Slot::Topic));
        assert!(sentence.has(Slot::Record) && !sentence.requires(Slot::Record));
        let Piece::Choice(choices) = &sentence.pieces[3] else { panic!("{:?}", sentence.pieces) };
        assert_eq!((choices[0].words.as_str(), choices[1].words.as_str()), ("well", "with "));
        assert_eq!(sentence.pieces[4], Piece::Joint(Joint::But));
        assert!(matches!(&sentence.pieces[5], Piece::Address(forms) if forms.len() == 2));
        assert_eq!(sentence.pieces[6], Piece::Words(" calm.".into()));
    }

    #[test]
    fn choices_can_hold_choices() {
        let sentence = Template::parse(1, "[one|two [a|b]] end");
        let Piece::Choice(choices) = &sentence.pieces[0] else { panic!("{:?}", sentence.pieces) };
        assert!(matches!(choices[1].pieces.as_slice(), [Piece::Words(_), Piece::Choice(inner)] if inner.len() == 2));
    }
}
