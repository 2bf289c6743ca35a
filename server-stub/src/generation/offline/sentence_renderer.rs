//! Renders a template as text for one profile. A template has choices `[plain|elaborate]`, forms of address `<formal|informal>` and
//! slots `{topic}`.
//!
//! The degree of elaboration is one number. Up to 0, all choices are plain. Up to 1, more and more choices are elaborate. Up to 2,
//! more and more sentences are joined with semicolons. Above 2, answers get one more sentence.

use crate::domain::voice::{SupportedLanguage, reading_grade, sentences, words};
use crate::generation::assemble::single_spaced;

use super::orthography::{capitalised, uncapitalised};
use super::profile_rules::ProfileRules;
use super::prose::Template;
use super::seed::Dice;

/// Maximum number of choices to try when the profile refuses a text.
const MAX_CHOICES: u64 = 4;
/// Maximum number of random draws for one template.
const DRAWS: u64 = 64;
/// Maximum reading grade of a sentence if the degree is just below 0.
const PLAIN_GRADE: f64 = 7.0;
/// Reduction of that maximum at the degree -1, in grades.
const GRADES_PER_DEGREE: f64 = 4.0;

/// Degree of elaboration at which all sentences are joined.
pub(super) const ALL_JOINED: f64 = 2.0;

/// Values of the slots, and the degree of elaboration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots<'a> {
    pub(super) topic: &'a str,
    pub(super) term: &'a str,
    pub(super) heading: &'a str,
    /// Number of the pass through the sections, from 1.
    pub(super) round: u64,
    /// Degree of elaboration, -1 to 3.
    pub(super) degree: f64,
}

impl Default for Slots<'_> {
    fn default() -> Self {
        Self { topic: "", term: "", heading: "", round: 1, degree: 0.5 }
    }
}

/// Rules of a profile with the random choices of one article.
#[derive(Debug)]
pub(super) struct SentenceRenderer<'a> {
    pub(super) rules: ProfileRules<'a>,
    pub(super) dice: Dice,
}

impl SentenceRenderer<'_> {
    /// Renders a template as text of the body, one or two sentences; `None` if the profile allows no variant.
    pub(super) fn text(&self, template: Template, slots: &Slots<'_>) -> Option<String> {
        let is_easy = |text: &str| {
            slots.degree >= 0.0
                || reading_grade([text], 1).unwrap_or_default() <= PLAIN_GRADE + slots.degree * GRADES_PER_DEGREE
        };
        self.written(template, slots, |text| sentences(text).iter().all(|one| self.rules.fits(one) && is_easy(one)))
    }

    /// Renders the first of the templates, from a random start, that the profile allows and that `suits`. For headings, titles and
    /// questions, whose length is not limited.
    pub(super) fn line(
        &self,
        templates: &[Template],
        slots: &Slots<'_>,
        suits: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let start = self.dice.index(templates.first()?.number + slots.round, templates.len());
        let (before, from) = templates.split_at(start);
        from.iter().chain(before).find_map(|template| self.written(*template, slots, &suits))
    }

    /// Joins neighbouring English sentences with semicolons. A higher degree joins more of them.
    pub(super) fn joined(&self, said: Vec<String>, degree: f64, place: u64) -> Vec<String> {
        let longest = self.rules.voice.max_sentence_words as usize;
        let mut joined: Vec<String> = Vec::with_capacity(said.len());
        for (at, text) in (0..).zip(said) {
            let may_join = self.rules.language == SupportedLanguage::English
                && text.ends_with('.')
                && self.dice.share(place * DRAWS + at) < degree - 1.0;
            match joined
                .last_mut()
                .filter(|last| may_join && last.ends_with('.') && words(last).count() + words(&text).count() <= longest)
            {
                Some(last) => {
                    last.pop();
                    last.push_str("; ");
                    last.push_str(&uncapitalised(&text));
                }
                None => joined.push(text),
            }
        }
        joined
    }

    fn written(&self, template: Template, slots: &Slots<'_>, suits: impl Fn(&str) -> bool) -> Option<String> {
        (0..MAX_CHOICES).find_map(|choice| {
            let text = self.expanded(template, slots, choice)?;
            (self.rules.allows(&text) && suits(&text)).then_some(text)
        })
    }

    /// Fills the slots and makes the choices. `choice` counts the tries; later tries use plain words.
    fn expanded(&self, template: Template, slots: &Slots<'_>, choice: u64) -> Option<String> {
        let mut said = String::new();
        let mut rest = template.source;
        let mut place = (template.number * MAX_CHOICES + choice + slots.round * 10_000) * DRAWS;
        let degree = if choice < MAX_CHOICES / 2 { slots.degree } else { 0.0 };
        while let Some(at) = rest.find(['[', '<', '{']) {
            place += 1;
            said.push_str(&rest[..at]);
            let (inside, after) = rest[at + 1..].split_once([']', '>', '}'])?;
            match &rest[at..=at] {
                "[" => {
                    let mut allowed = inside.split('|').filter(|text| !self.rules.banned.matches(text));
                    let is_elaborate = self.dice.share(place) < degree;
                    said.push_str(if is_elaborate { allowed.next_back() } else { allowed.next() }?);
                }
                "<" => said.push_str(inside.split('|').nth(self.rules.address?)?),
                _ => said.push_str(&filling(inside, slots)?),
            }
            rest = after;
        }
        said.push_str(rest);
        Some(capitalised(&self.rules.replaced(&single_spaced(&said))))
    }
}

fn filling(slot: &str, slots: &Slots<'_>) -> Option<String> {
    let text = match slot {
        "topic" => slots.topic,
        "term" => slots.term,
        "heading" => slots.heading,
        _ => return Some(slots.round.to_string()),
    };
    (!text.is_empty()).then(|| text.to_owned())
}
