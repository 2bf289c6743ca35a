//! Which sections an article has, and in which order; how long each becomes is decided in `compose`.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::prose::{Prose, serving};
use super::prose_file::{Purpose, Section};
use super::subject_area::SubjectArea;
use super::topic::Topic;

/// A section is worth its heading from about so many words on.
const WORDS_PER_SECTION: usize = 210;
/// Opening and ending apart, an article has at least so many sections.
pub(super) const MIN_SECTIONS: usize = 2;

/// An entry of a list has at least so many words.
const MIN_WORDS_PER_ENTRY: usize = 50;
/// The longest list.
const MAX_ENTRIES: usize = 15;

/// The sections of one article.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) purpose: Purpose,
    /// Openings, best first: one whose paragraphs the profile rules out gives way to the next.
    pub(super) openings: Vec<&'static Section>,
    pub(super) body: Vec<&'static Section>,
    /// Endings in the same way.
    pub(super) endings: Vec<&'static Section>,
    /// How many sections at the beginning of the body are the entries of the list that was ordered.
    pub(super) entries: usize,
    /// Sections to fall back on, best first.
    pub(super) spare: Vec<&'static Section>,
}

impl Plan {
    pub(super) fn choose(
        prose: &'static Prose,
        topic: &Topic,
        field: &SubjectArea,
        target_words: usize,
        random: &mut ChaCha8Rng,
    ) -> Self {
        let guesses = [Purpose::Doing, Purpose::Understanding, Purpose::Listing];
        let purpose = topic.purpose.unwrap_or_else(|| *guesses.choose(random).expect("not empty"));
        let rank = |section: &Section| match (section.serves(purpose), section.field.is_some()) {
            (true, _) if section.compares() && topic.options.is_some() => 0,
            (true, _) if section.purposes.len() == 1 => 1,
            (true, true) => 2,
            (true, false) => 3,
            (false, _) => 4,
        };
        let suits = |section: &&Section| section.field.as_ref().is_none_or(|own| *own == field.name);
        let mut candidates: Vec<&'static Section> = prose.body.iter().filter(suits).collect();
        candidates.shuffle(random);
        let entries = if purpose == Purpose::Listing { entries(topic, target_words) } else { 0 };
        let (mut body, rest): (Vec<&'static Section>, Vec<&'static Section>) =
            candidates.into_iter().partition(|section| entries > 0 && section.is_list_entry());
        let entries = if body.len() < entries { 0 } else { entries };
        let mut candidates = rest;
        candidates.extend(body.split_off(entries));
        let wanted = (target_words / WORDS_PER_SECTION).max(MIN_SECTIONS);
        // Sections made for the purpose come first, but leave most of the article to those that serve several.
        candidates.sort_by_key(|section| rank(section));
        let special = candidates.iter().filter(|section| rank(section) <= 1).count();
        let leading = special.min(wanted.div_ceil(3).max(MIN_SECTIONS));
        candidates[leading..].shuffle(random);
        candidates[leading..].sort_by_key(|section| (rank(section) <= 1, rank(section)));
        let spare = candidates.split_off(wanted.min(candidates.len()));
        candidates.sort_by_key(|section| section.stage);
        if entries > 0 {
            candidates = body;
        }
        let beginning_anywhere = |sections: &'static [Section], random: &mut ChaCha8Rng| {
            let mut fitting: Vec<&'static Section> = serving(sections, purpose).collect();
            let first = random.random_range(0..fitting.len());
            fitting.rotate_left(first);
            fitting
        };
        let openings = beginning_anywhere(&prose.openings, random);
        let endings = beginning_anywhere(&prose.endings, random);
        Self { purpose, openings, body: candidates, endings, entries, spare }
    }
}

/// How many entries the ordered list has, 0 where the article is too short for them or the order names no number.
fn entries(topic: &Topic, target_words: usize) -> usize {
    let most = target_words / MIN_WORDS_PER_ENTRY;
    topic.list_length.filter(|length| (MIN_SECTIONS..=most.min(MAX_ENTRIES)).contains(length)).unwrap_or(0)
}
