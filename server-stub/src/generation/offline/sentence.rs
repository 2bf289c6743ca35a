//! The notation of one template sentence: fixed words, `[a|b]` choices, `{name}` slots and joints such as ` +and `.
//! Which choice is made is decided in `sentence_renderer`.

/// A place in a template that the writer fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The topic as a noun phrase.
    Topic,
    /// The topic as "how to …".
    HowTo,
    /// The topic as the question that was asked, with its question mark.
    Question,
    /// The first of two options that the topic compares.
    FirstOption,
    /// The second of them.
    SecondOption,
    /// An ordered keyword or a required term.
    Term,
}

/// Where two clauses meet that may also be two sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    And,
    But,
    So,
    Semicolon,
    Colon,
}

/// One piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Words(String),
    Choice(Vec<String>),
    Slot(Slot),
    Joint(Joint),
}

impl Piece {
    fn length(&self) -> usize {
        let count = |text: &String| text.split_whitespace().count();
        match self {
            Self::Words(words) => count(words),
            Self::Choice(choices) => choices.iter().map(count).max().unwrap_or(0),
            Self::Slot(_) | Self::Joint(_) => 0,
        }
    }
}

/// A template sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Unique within the prose.
    pub(super) number: u64,
    pub(super) pieces: Vec<Piece>,
    /// The most words that each piece can become; slots count nothing.
    pub(super) lengths: Vec<usize>,
    /// Whether "we" or "I" speak. Such a sentence is left out where the profile has no first person.
    pub(super) is_first_person: bool,
}

impl Sentence {
    pub(super) fn parse(number: u64, source: &str) -> Self {
        let (is_first_person, source) = source.strip_prefix("we> ").map_or((false, source), |rest| (true, rest));
        let mut pieces = Vec::new();
        let mut words = String::new();
        let mut rest = source;
        while let Some(character) = rest.chars().next() {
            let special = match character {
                '[' => rest
                    .split_once(']')
                    .map(|(inside, after)| (Piece::Choice(inside[1..].split('|').map(str::to_owned).collect()), after)),
                '{' => rest.split_once('}').and_then(|(inside, after)| Some((Piece::Slot(slot(&inside[1..])?), after))),
                ' ' => joint(rest).map(|(joint, after)| (Piece::Joint(joint), after)),
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
        let lengths = pieces.iter().map(Piece::length).collect();
        Self { number, pieces, lengths, is_first_person }
    }

    pub(super) fn has(&self, slot: Slot) -> bool {
        self.pieces.contains(&Piece::Slot(slot))
    }
}

fn slot(name: &str) -> Option<Slot> {
    match name {
        "topic" => Some(Slot::Topic),
        "how" => Some(Slot::HowTo),
        "question" => Some(Slot::Question),
        "first" => Some(Slot::FirstOption),
        "second" => Some(Slot::SecondOption),
        "term" => Some(Slot::Term),
        _ => None,
    }
}

fn joint(rest: &str) -> Option<(Joint, &str)> {
    let joints = [
        (" +and ", Joint::And),
        (" +but ", Joint::But),
        (" +so ", Joint::So),
        (" +; ", Joint::Semicolon),
        (" +: ", Joint::Colon),
    ];
    joints.into_iter().find_map(|(mark, joint)| rest.strip_prefix(mark).map(|after| (joint, after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_taken_apart_into_its_pieces() {
        let sentence = Sentence::parse(1, "we> Plan {topic} [well|with care] +but stay calm.");
        assert!(sentence.is_first_person && sentence.has(Slot::Topic));
        assert_eq!(
            sentence.pieces,
            [
                Piece::Words("Plan ".into()),
                Piece::Slot(Slot::Topic),
                Piece::Words(" ".into()),
                Piece::Choice(vec!["well".into(), "with care".into()]),
                Piece::Joint(Joint::But),
                Piece::Words("stay calm.".into()),
            ]
        );
    }
}
