//! From a template sentence to the sentences of one profile: choices, person, contractions, replacements, and the refusal of
//! whatever the profile forbids. How elaborate a text is, is one number, set by `grade_fitting`.

use crate::domain::voice::{PointOfView, SupportedLanguage, syllables, words};

use crate::generation::assemble::single_spaced;

use super::formal_words;
use super::orthography::{finished, joined, separate};
use super::placeholder::{Joint, Slot};
use super::profile_rules::ProfileRules;
use super::seed::Dice;
use super::slot_values::{Naming, SlotValues};
use super::template::{Alternative, Piece, Speaker, Template};
use super::wording::{
    Reader, address, capitalised, capitalised_in_marks, contracted, spoken_by_one, with_matching_articles,
};

/// Degree of elaboration below which the simplest words are chosen.
const PLAINEST_BELOW: f64 = 0.2;
/// Degree above which the longest words are chosen.
const LONGEST_WORDS_ABOVE: f64 = 1.0;
/// Degree above which plain words give way to formal ones.
pub(super) const FORMAL_WORDS_ABOVE: f64 = 1.65;
/// Degree from which a colon always joins.
const COLONS_JOIN_FROM: f64 = 0.5;
/// How often other choices are tried when a profile refuses a sentence.
const MAX_CHOICES: u64 = 3;
/// A topic in quotation marks is named in full by every so many of the sentences that name it.
const FULL_NAME_EVERY: u64 = 4;
/// Draws that one sentence may take.
const DRAWS_PER_SENTENCE: u64 = 1024;

/// A profile with the random choices of one article.
#[derive(Debug)]
pub(super) struct SentenceRenderer<'a> {
    pub(super) rules: ProfileRules<'a>,
    pub(super) dice: Dice,
}

/// Sentences that are being made from one template.
struct Rendering<'s, 'v> {
    slots: &'s SlotValues<'v>,
    naming: Naming,
    said: Vec<String>,
    /// Where the next draw is made.
    place: u64,
}

impl<'a> SentenceRenderer<'a> {
    pub(super) fn new(rules: ProfileRules<'a>, dice: Dice) -> Self {
        Self { rules, dice }
    }

    /// One template as one or more finished sentences; `None` when the profile leaves no way to say it.
    pub(super) fn render(&self, template: &Template, slots: &SlotValues<'_>) -> Option<Vec<String>> {
        if !self.may_speak(template.speaker) {
            return None;
        }
        if !template.has(Slot::Topic) {
            return self.render_named(template, slots, Naming::Full);
        }
        // A long phrase tires when it comes back in each section.
        let often = if self.rules.language == SupportedLanguage::English { 2 } else { FULL_NAME_EVERY };
        let is_question = slots.topic.question.is_some();
        let tires = slots.may_shorten && (is_question || !self.dice.draw(template.number).is_multiple_of(often));
        let namings = if tires {
            [Naming::Short, Naming::Full, Naming::This]
        } else {
            [Naming::Full, Naming::Short, Naming::This]
        };
        namings.into_iter().find_map(|naming| self.render_named(template, slots, naming))
    }

    fn may_speak(&self, speaker: Speaker) -> bool {
        match speaker {
            Speaker::None => true,
            Speaker::One => self.rules.voice.point_of_view == PointOfView::FirstPersonSingular,
            Speaker::We if self.rules.language == SupportedLanguage::English => self.rules.has_first_person(),
            Speaker::We => self.rules.voice.point_of_view == PointOfView::FirstPersonPlural,
        }
    }

    /// One template as a line that is not split: a heading, a title, a table cell, a list entry.
    pub(super) fn render_line(&self, template: &Template, slots: &SlotValues<'_>) -> Option<String> {
        let whole = SlotValues {
            elaboration: LONGEST_WORDS_ABOVE.min(slots.elaboration.max(PLAINEST_BELOW)),
            joined: true,
            ..*slots
        };
        let said = self.render(template, &whole)?;
        (said.len() == 1).then(|| said.into_iter().next()).flatten()
    }

    fn render_named(&self, template: &Template, slots: &SlotValues<'_>, naming: Naming) -> Option<Vec<String>> {
        (0..MAX_CHOICES).find_map(|choice| {
            let place = (template.number * MAX_CHOICES + choice) * DRAWS_PER_SENTENCE;
            let mut rendering = Rendering { slots, naming, said: vec![String::new()], place };
            self.write(&template.pieces, &mut rendering)?;
            let said: Vec<String> = rendering.said.iter().map(|text| self.finish(text, template, slots)).collect();
            let is_allowed = |text: &String| {
                self.rules.allows(text) && self.rules.fits(text) && Self::is_easy(text, slots.elaboration)
            };
            said.iter().all(is_allowed).then_some(said)
        })
    }

    fn write(&self, pieces: &[Piece], rendering: &mut Rendering<'_, '_>) -> Option<()> {
        let slots = rendering.slots;
        for (at, piece) in pieces.iter().enumerate() {
            rendering.place += 1;
            let place = rendering.place;
            let current = rendering.said.last_mut().expect("one sentence has begun");
            match piece {
                Piece::Words(words)
                    if slots.elaboration > FORMAL_WORDS_ABOVE && self.rules.language == SupportedLanguage::English =>
                {
                    current.push_str(&formal_words::formal(words, |word| self.rules.forbidden.matches(word)));
                }
                Piece::Words(words) => current.push_str(words),
                Piece::Slot(Slot::Term) => current.push_str(Some(slots.term).filter(|term| !term.is_empty())?),
                Piece::Slot(slot) => current.push_str(self.filling(*slot, rendering.naming, slots, place)?),
                Piece::Joint(joint) => {
                    // What follows a colon may be no sentence of its own.
                    let lists = *joint == Joint::Colon && slots.elaboration >= COLONS_JOIN_FROM;
                    let joins = slots.joined || lists || self.dice.share(place) < slots.elaboration;
                    if joins && self.joined_fits(current, &pieces[at + 1..], slots) {
                        current.push_str(joined(self.rules.language, *joint));
                    } else {
                        current.push('.');
                        rendering.said.push(separate(self.rules.language, *joint).to_owned());
                    }
                }
                Piece::Choice(alternatives) => {
                    let chosen = self.choose(alternatives, rendering.naming, slots, place)?;
                    self.write(&chosen.pieces, rendering)?;
                }
                Piece::Address(forms) => self.write(self.address_form(forms)?, rendering)?,
            }
        }
        Some(())
    }

    /// What the slot is filled with: what the profile allows of what the topic and its field offer.
    fn filling<'v>(&self, slot: Slot, naming: Naming, slots: &SlotValues<'v>, place: u64) -> Option<&'v str> {
        let candidates = slots.candidates(slot, naming);
        if candidates.len() < 2 {
            return candidates.first().map(String::as_str);
        }
        let start = self.dice.index(place, candidates.len());
        (0..candidates.len())
            .map(|step| candidates[(start + step) % candidates.len()].as_str())
            .find(|text| !self.rules.banned.matches(text))
    }

    /// The form for the reader: addressed formally, informally, or not at all. English has one form of address.
    fn address_form<'s>(&self, forms: &'s [Vec<Piece>]) -> Option<&'s [Piece]> {
        let at = match (self.rules.language, self.rules.reader) {
            (_, Reader::You) => 0,
            (SupportedLanguage::English, _) | (_, Reader::Friend) => 1,
            (_, Reader::Nobody | Reader::Others(_)) => 2,
        };
        forms.get(at).map(Vec::as_slice)
    }

    /// Whether what stands before a joint leaves room for about as much again.
    fn joined_fits(&self, current: &str, after: &[Piece], slots: &SlotValues<'_>) -> bool {
        let after: usize = after
            .iter()
            .take_while(|piece| !matches!(piece, Piece::Joint(_)))
            .map(|piece| match piece {
                Piece::Slot(slot) => {
                    let longest = slots.candidates(*slot, Naming::Full).iter().map(|text| words(text).count()).max();
                    longest.unwrap_or(0)
                }
                _ => piece.length(),
            })
            .sum();
        words(current).count() + after + 2 <= self.rules.voice.max_sentence_words as usize
    }

    fn choose<'c>(
        &self,
        alternatives: &'c [Alternative],
        naming: Naming,
        slots: &SlotValues<'_>,
        place: u64,
    ) -> Option<&'c Alternative> {
        let can_fill = |piece: &Piece| match piece {
            Piece::Slot(Slot::Term) => !slots.term.is_empty(),
            Piece::Slot(slot) => !slots.candidates(*slot, naming).is_empty(),
            _ => true,
        };
        let is_possible = |one: &&Alternative| {
            one.pieces.iter().all(can_fill) && (self.rules.banned.is_empty() || !self.rules.banned.matches(&one.words))
        };
        let allowed = || alternatives.iter().filter(is_possible);
        if slots.elaboration < PLAINEST_BELOW {
            return allowed().min_by_key(|one| one.syllables);
        }
        if slots.elaboration > LONGEST_WORDS_ABOVE {
            return allowed().max_by_key(|one| one.syllables);
        }
        let count = allowed().count();
        (count > 0).then(|| allowed().nth(self.dice.index(place, count))).flatten()
    }

    fn finish(&self, sentence: &str, template: &Template, slots: &SlotValues<'_>) -> String {
        let mut text = single_spaced(sentence);
        let language = self.rules.language;
        if language != SupportedLanguage::English {
            return finished(language, &capitalised_in_marks(&self.rules.replaced(&text)));
        }
        if template.speaker == Speaker::We && self.rules.voice.point_of_view == PointOfView::FirstPersonSingular {
            text = spoken_by_one(&text);
        }
        text = address(&text, self.rules.reader);
        text = self.rules.replaced(&text);
        if slots.elaboration > FORMAL_WORDS_ABOVE {
            text = with_matching_articles(&text);
        }
        if self.rules.contracts {
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
}
