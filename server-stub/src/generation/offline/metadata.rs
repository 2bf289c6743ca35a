//! Writes everything except the body: title, excerpt, description, questions, labels, alternative text.

use std::ops::RangeInclusive;

use crate::domain::voice::content_words;
use crate::domain::written_article::FaqEntry;

use super::prose::{Part, Prose};
use super::sentence_renderer::{ALL_JOINED, SentenceRenderer, Slots};
use super::topic::Topic;

const MAX_TITLE_CHARS: usize = 110;
pub(super) const EXCERPT_CHARS: RangeInclusive<usize> = 1..=300;
pub(super) const DESCRIPTION_CHARS: RangeInclusive<usize> = 50..=160;
pub(super) const ALT_CHARS: RangeInclusive<usize> = 1..=125;
const MAX_TAGS: usize = 5;
const TAG_CHARS: RangeInclusive<usize> = 3..=40;
/// Common words of the four languages that are useless as tags.
const NEVER_TAGS: &str = " question whether before after best much many way ways tips eine einen einem einer oder aber nicht kein wenn dass wie \
    und der die das den dem für mit auf von zum zur bei beim nach über unter ohne auch mehr sehr was ist sind warum les des une dans avec sans \
    pour sur par que qui est sont aux comment pourquoi quand plus los las una del con por para como cómo qué son entre desde hasta sobre ";

/// Writes the texts around a body within the rules of one profile.
#[derive(Debug)]
pub(super) struct Metadata<'a> {
    pub(super) topic: &'a Topic,
    pub(super) prose: &'a Prose,
    pub(super) renderer: &'a SentenceRenderer<'a>,
}

impl Metadata<'_> {
    /// Returns the title. It always contains the topic. If the topic is no phrase, it is the whole title.
    pub(super) fn title(&self) -> String {
        if self.topic.is_whole_title {
            return self.topic.title.clone();
        }
        let slots = Slots { topic: &self.topic.title, ..Slots::default() };
        let fits = |text: &str| text.chars().count() <= MAX_TITLE_CHARS;
        self.renderer.line(&self.prose.lines("titles"), &slots, fits).unwrap_or_else(|| self.topic.title.clone())
    }

    /// Returns a line of this kind and length, preferably with the topic. Falls back to the topic alone.
    pub(super) fn around(&self, kind: &str, chars: &RangeInclusive<usize>) -> String {
        let slots = Slots { topic: &self.topic.quoted, ..Slots::default() };
        let (named, unnamed): (Vec<_>, Vec<_>) =
            self.prose.lines(kind).into_iter().partition(|template| template.source.contains("{topic}"));
        let fits = |text: &str| chars.contains(&text.chars().count());
        let line = |templates: &[_]| self.renderer.line(templates, &slots, fits);
        line(&named).or_else(|| line(&unnamed)).unwrap_or_else(|| self.topic.quoted.clone())
    }

    /// Returns as many questions with answers as the profile requests, or fewer if the profile forbids some.
    pub(super) fn questions(&self, degree: f64) -> Vec<FaqEntry> {
        let mut parts = self.prose.parts("question");
        let draw = |part: &Part| part.headings.first().map_or(0, |heading| self.renderer.dice.draw(heading.number));
        parts.sort_by_key(|part| draw(part));
        let slots = Slots { degree, ..Slots::default() };
        let wanted = self.renderer.rules.voice.faq_count as usize;
        parts.into_iter().filter_map(|part| self.question(part, &slots)).take(wanted).collect()
    }

    fn question(&self, part: &Part, slots: &Slots<'_>) -> Option<FaqEntry> {
        let number = part.headings.first()?.number;
        let question = self.renderer.line(&part.headings, slots, |text| text.ends_with('?'))?;
        let own = part.paragraphs.iter().flatten().filter_map(|template| self.renderer.text(*template, slots));
        let mut answer: Vec<String> = own.collect();
        if answer.is_empty() || slots.degree > ALL_JOINED {
            // Sentences of an ending answer any question. Each question gets another one.
            let general = self.prose.lines("ending");
            let (before, from) = general.split_at(self.renderer.dice.index(number, general.len()));
            answer.extend(from.iter().chain(before).find_map(|template| self.renderer.text(*template, slots)));
        }
        if answer.is_empty() {
            return None;
        }
        Some(FaqEntry { question, answer: self.renderer.joined(answer, slots.degree, number).join(" ") })
    }

    /// Returns words of the topic that can be tags.
    pub(super) fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for word in content_words(&self.topic.phrase) {
            let is_label = TAG_CHARS.contains(&word.chars().count())
                && !NEVER_TAGS.contains(&format!(" {word} "))
                && !word.chars().all(char::is_numeric);
            if is_label && tags.len() < MAX_TAGS && !tags.contains(&word) && self.renderer.rules.allows(&word) {
                tags.push(word);
            }
        }
        tags
    }
}
