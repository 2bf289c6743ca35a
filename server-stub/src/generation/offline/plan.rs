//! Which sections an article has, and in which order; how long each becomes is decided in `compose`.

use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::grammar::{Purpose, Section};
use super::prose::{prose, serving};
use super::topic::Topic;

/// A section is worth its heading from about so many words on.
const WORDS_PER_SECTION: usize = 210;
/// Opening and ending apart, an article has at least so many sections.
const MIN_SECTIONS: usize = 2;

/// The sections of one article.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) purpose: Purpose,
    pub(super) opening: &'static Section,
    pub(super) body: Vec<&'static Section>,
    pub(super) ending: &'static Section,
    /// Sections to fall back on, best first.
    pub(super) spare: Vec<&'static Section>,
}

impl Plan {
    pub(super) fn choose(topic: &Topic, target_words: usize, random: &mut ChaCha8Rng) -> Self {
        let prose = prose();
        let purpose = topic
            .purpose
            .unwrap_or_else(|| *[Purpose::Doing, Purpose::Understanding].choose(random).expect("not empty"));
        let all = [Purpose::Doing, Purpose::Choosing, Purpose::Understanding];
        // A topic of unknown purpose gets what suits any purpose before what suits only the guess.
        let rank = |section: &Section| {
            let suits_all = all.iter().all(|&any| section.serves(any));
            match (topic.purpose.is_some(), section.serves(purpose), suits_all) {
                (true, true, false) | (false, true, true) => 0,
                (true, true, true) | (false, true, false) => 1,
                _ => 2,
            }
        };
        let mut candidates: Vec<&'static Section> = prose.body.iter().collect();
        candidates.shuffle(random);
        let wanted = (target_words / WORDS_PER_SECTION).max(MIN_SECTIONS);
        // Sections made for the purpose come first, but leave a third of the article to general ones.
        candidates.sort_by_key(|section| rank(section));
        let special = candidates.iter().filter(|section| rank(section) == 0).count();
        let leading = special.min(wanted.div_ceil(3) * 2);
        candidates[leading..].sort_by_key(|section| rank(section).max(1));
        let spare = candidates.split_off(wanted.min(candidates.len()));
        candidates.sort_by_key(|section| section.stage);
        let pick = |sections: &'static [Section], random: &mut ChaCha8Rng| {
            let fitting: Vec<&'static Section> = serving(sections, purpose).collect();
            *fitting.choose(random).expect("each purpose has openings and endings")
        };
        let (opening, ending) = (pick(&prose.openings, random), pick(&prose.endings, random));
        Self { purpose, opening, body: candidates, ending, spare }
    }
}
