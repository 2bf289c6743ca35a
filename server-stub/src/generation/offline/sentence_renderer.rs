//! From a template sentence to the sentences of one profile: choices, person, contractions, replacements, and the refusal of
//! whatever the profile forbids. How elaborate a text is, is one number, set by `grade_fitting`.

use crate::domain::voice::{
    BrandVoice, Contractions, EmojiUse, PointOfView, TermMatcher, count_exclamations, count_pronouns, emoji,
    has_contraction, syllables, words,
};
use crate::generation::assemble::{forbidden_terms, with_case_of};

use super::formal_words;
use super::seed::Dice;
use super::sentence::{Piece, Sentence, Slot};
use super::slot_values::{Naming, SlotValues, joined, separate};
use super::wording::{Reader, address, capitalised, contracted, spoken_by_one, uncapitalised, with_matching_articles};

/// Degree of elaboration below which the simplest words are chosen.
const PLAINEST_BELOW: f64 = 0.2;
/// Degree above which the longest words are chosen.
const LONGEST_WORDS_ABOVE: f64 = 1.0;
/// Degree from which semicolons join neighbouring sentences.
const SEMICOLONS_FROM: f64 = 0.8;
/// Degree from which "and" joins a sentence to the one that it continues.
const AND_JOINS_FROM: f64 = 0.35;
/// Most words of a sentence that "and" has joined.
const MAX_AND_JOINED_WORDS: usize = 27;
/// Degree above which plain words give way to formal ones.
const FORMAL_WORDS_ABOVE: f64 = 1.65;
/// Degree above which more than two sentences may be joined.
const CHAINS_ABOVE: f64 = 1.5;

/// A profile, ready to be applied to sentences.
#[derive(Debug)]
pub(super) struct SentenceRenderer<'a> {
    voice: &'a BrandVoice,
    forbidden: TermMatcher,
    banned: TermMatcher,
    replaced: Vec<(TermMatcher, &'a str)>,
    reader: Reader,
    contracts: bool,
    pub(super) dice: Dice,
}

impl<'a> SentenceRenderer<'a> {
    pub(super) fn new(voice: &'a BrandVoice, dice: Dice) -> Self {
        let banned = TermMatcher::new(voice.vocabulary.avoid.iter().map(String::as_str));
        let pairs = &voice.vocabulary.replace;
        let mut renderer = Self {
            voice,
            forbidden: if pairs.is_empty() { banned.clone() } else { forbidden_terms(voice) },
            banned,
            replaced: pairs.iter().map(|pair| (TermMatcher::new([pair.from.as_str()]), pair.to.as_str())).collect(),
            reader: Reader::You,
            contracts: voice.contractions == Contractions::Allow && voice.tone_dimensions.formality <= 3,
            dice,
        };
        renderer.reader = renderer.choose_reader();
        renderer
    }

    fn choose_reader(&self) -> Reader {
        let others =
            ["people", "most people", "readers", "teams"].into_iter().find(|noun| !self.forbidden.matches(noun));
        let may_address = self.voice.point_of_view != PointOfView::ThirdPerson
            && (self.voice.point_of_view == PointOfView::SecondPerson
                || !["you", "your"].iter().any(|word| self.forbidden.matches(word)));
        match others {
            Some(noun) if !may_address => Reader::Others(noun),
            _ => Reader::You,
        }
    }

    pub(super) fn voice(&self) -> &'a BrandVoice {
        self.voice
    }

    pub(super) fn reader(&self) -> Reader {
        self.reader
    }

    /// The terms to avoid.
    pub(super) fn banned(&self) -> &TermMatcher {
        &self.banned
    }

    /// Whether a first person speaks.
    pub(super) fn has_first_person(&self) -> bool {
        matches!(self.voice.point_of_view, PointOfView::FirstPersonPlural | PointOfView::FirstPersonSingular)
    }

    /// Whether a piece of finished text keeps every rule that one sentence can break.
    pub(super) fn allows(&self, text: &str) -> bool {
        let pronouns = count_pronouns(text);
        let right_person = match self.voice.point_of_view {
            PointOfView::Any | PointOfView::FirstPersonSingular => true,
            PointOfView::FirstPersonPlural | PointOfView::SecondPerson => pronouns.singular == 0,
            PointOfView::ThirdPerson => pronouns.singular + pronouns.plural + pronouns.second == 0,
        };
        right_person
            && !self.forbidden.matches(text)
            && (self.voice.contractions == Contractions::Allow || !has_contraction(text))
            && (self.voice.emoji == EmojiUse::Allow || emoji(text).is_none())
            && count_exclamations(text) == 0
    }

    /// Whether the text is no longer than the profile's longest sentence.
    pub(super) fn fits(&self, text: &str) -> bool {
        words(text).count() <= self.voice.max_sentence_words as usize
    }

    /// The text with the profile's replacements made.
    pub(super) fn replaced(&self, text: &str) -> String {
        let mut changed = text.to_owned();
        for (matcher, to) in &self.replaced {
            if matcher.matches(&changed) {
                changed = matcher.replace_all(&changed, |found| with_case_of(found, to));
            }
        }
        if changed == text { changed } else { with_matching_articles(&changed) }
    }

    /// One template as one or more finished sentences; `None` when the profile leaves no way to say it.
    pub(super) fn render(&self, template: &Sentence, slots: &SlotValues<'_>) -> Option<Vec<String>> {
        if template.is_first_person && !self.has_first_person() {
            return None;
        }
        if !template.has(Slot::Topic) {
            return self.render_with(template, slots, Naming::Full);
        }
        // A long phrase tires when it comes back in each section.
        let tires =
            slots.may_shorten && (slots.topic.question.is_some() || self.dice.draw(template.number).is_multiple_of(2));
        let namings = if tires {
            [Naming::Short, Naming::Full, Naming::This]
        } else {
            [Naming::Full, Naming::Short, Naming::This]
        };
        namings.into_iter().find_map(|naming| self.render_with(template, slots, naming))
    }

    /// One template as a line that is not split: a heading, a title, a table cell, a list entry.
    pub(super) fn render_line(&self, template: &Sentence, slots: &SlotValues<'_>) -> Option<String> {
        let whole = SlotValues {
            elaboration: LONGEST_WORDS_ABOVE.min(slots.elaboration.max(PLAINEST_BELOW)),
            joined: true,
            ..*slots
        };
        let said = self.render(template, &whole)?;
        (said.len() == 1).then(|| said.into_iter().next()).flatten()
    }

    fn render_with(&self, template: &Sentence, slots: &SlotValues<'_>, naming: Naming) -> Option<Vec<String>> {
        let mut said: Vec<String> = vec![String::new()];
        for (place, piece) in (1_u64..).zip(&template.pieces) {
            let place = template.number * 64 + place;
            let current = said.last_mut().expect("one sentence has begun");
            match piece {
                Piece::Words(words) if slots.elaboration > FORMAL_WORDS_ABOVE => {
                    current.push_str(&formal_words::formal(words, |word| self.forbidden.matches(word)));
                }
                Piece::Words(words) => current.push_str(words),
                Piece::Choice(choices) => current.push_str(self.choose(choices, place, slots.elaboration)?),
                Piece::Slot(slot) => current.push_str(slots.fill(*slot, naming)?),
                Piece::Joint(joint) => {
                    let joins = slots.joined || self.dice.share(place) < slots.elaboration;
                    if joins && self.joined_fits(current, template, place, slots) {
                        current.push_str(joined(*joint));
                    } else {
                        current.push('.');
                        said.push(separate(*joint).to_owned());
                    }
                }
            }
        }
        let said: Vec<String> =
            said.iter().map(|sentence| self.finish(sentence, template.is_first_person, slots.elaboration)).collect();
        let all_allowed = said
            .iter()
            .all(|sentence| self.allows(sentence) && self.fits(sentence) && Self::is_easy(sentence, slots.elaboration));
        all_allowed.then_some(said)
    }

    /// Whether what stands before a joint leaves room for about as much again.
    fn joined_fits(&self, current: &str, template: &Sentence, place: u64, slots: &SlotValues<'_>) -> bool {
        let at = usize::try_from(place - template.number * 64).expect("a place within the sentence");
        let after: usize = template.pieces[at..]
            .iter()
            .zip(&template.lengths[at..])
            .take_while(|(piece, _)| !matches!(piece, Piece::Joint(_)))
            .map(|(piece, length)| match piece {
                Piece::Slot(slot) => slots.fill(*slot, Naming::Full).map_or(0, |text| words(text).count()),
                _ => *length,
            })
            .sum();
        words(current).count() + after + 2 <= self.voice.max_sentence_words as usize
    }

    fn choose<'c>(&self, choices: &'c [String], place: u64, elaboration: f64) -> Option<&'c str> {
        let allowed: Vec<&String> = if self.forbidden.is_empty() {
            choices.iter().collect()
        } else {
            choices.iter().filter(|choice| !self.banned.matches(choice)).collect()
        };
        let weight = |choice: &&&String| choice.split_whitespace().map(syllables).sum::<usize>();
        if elaboration < PLAINEST_BELOW {
            return allowed.iter().min_by_key(weight).map(|choice| choice.as_str());
        }
        if elaboration > LONGEST_WORDS_ABOVE {
            return allowed.iter().max_by_key(weight).map(|choice| choice.as_str());
        }
        (!allowed.is_empty()).then(|| allowed[self.dice.index(place, allowed.len())].as_str())
    }

    fn finish(&self, sentence: &str, is_first_person: bool, elaboration: f64) -> String {
        let mut text = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        if is_first_person && self.voice.point_of_view == PointOfView::FirstPersonSingular {
            text = spoken_by_one(&text);
        }
        text = address(&text, self.reader);
        text = self.replaced(&text);
        if elaboration > FORMAL_WORDS_ABOVE {
            text = with_matching_articles(&text);
        }
        if self.contracts {
            text = contracted(&text);
        }
        capitalised(&text)
    }

    /// Below zero, only short sentences of short words are easy enough.
    fn is_easy(sentence: &str, elaboration: f64) -> bool {
        if elaboration >= 0.0 {
            return true;
        }
        let (count, spoken) = words(sentence).fold((0_u32, 0_u32), |(count, spoken), word| {
            (count + 1, spoken + u32::try_from(syllables(word)).expect("at most twelve"))
        });
        let weight = 0.39 * f64::from(count) + 11.8 * f64::from(spoken) / f64::from(count.max(1)) - 15.59;
        weight <= 7.0 + elaboration * 4.0
    }

    /// Joins neighbouring sentences, the more of them the more elaborate the text shall be.
    pub(super) fn elaborate(&self, sentences: Vec<String>, elaboration: f64, place: u64) -> Vec<String> {
        if elaboration < AND_JOINS_FROM {
            return sentences;
        }
        let mut joined: Vec<String> = Vec::with_capacity(sentences.len());
        for (at, sentence) in (0_u64..).zip(sentences) {
            let chance = self.dice.share(place * 64 + at + 32);
            let joint = joined.last().filter(|last| last.ends_with('.') && sentence.ends_with('.')).and_then(|last| {
                let length = words(last).count() + words(&sentence).count() + 1;
                let flows = continues_previous(&sentence)
                    && length <= MAX_AND_JOINED_WORDS
                    && !last.contains([';', ':'])
                    && !last.contains(", and ");
                let may_chain = elaboration > CHAINS_ABOVE || !last.contains("; ");
                match length <= self.voice.max_sentence_words as usize {
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
}

/// Whether a sentence carries on from the one before it, so that "and" can join them.
fn continues_previous(sentence: &str) -> bool {
    ["You will ", "You can ", "You may ", "You then ", "You also ", "That ", "It also ", "They also "]
        .iter()
        .any(|start| sentence.starts_with(start))
}
