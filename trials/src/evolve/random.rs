//! Random choices that a seed reproduces.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Syllables of words; some of them have a meaning in programs.
const SYLLABLES: [&str; 12] = ["ra", "to", "mi", "ve", "lon", "ska", "quo", "bel", "fir", "dun", "pax", "ery"];
/// Names that a program could confuse with something else.
const PITFALLS: [&str; 8] = ["extra", "self", "fn", "unknown", "$type", "content-rating", "größe", "0"];

/// A source of random choices.
#[derive(Debug)]
pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// Returns the source of one evolution: the same for the same seed and number, and different for each number.
    pub(super) fn of(seed: u64, number: u64) -> Self {
        // An odd factor keeps numbers apart; it is the golden ratio's, as in `splitmix`.
        Self(ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end.max(1))
    }

    /// Returns a number of a range, both ends included.
    pub(super) fn within(&mut self, least: i64, most: i64) -> i64 {
        self.0.random_range(least..=most.max(least))
    }

    /// Returns true with a probability of `percent` in 100.
    pub(super) fn happens(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// Returns a random item, or `None` if the list is empty.
    pub(super) fn one_of<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// Returns a word that the document does not have.
    pub(super) fn word(&mut self) -> String {
        let count = 3 + self.below(3);
        (0..count).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect()
    }

    /// Returns a name for a member: mostly a word, sometimes a name that is easily confused.
    pub(super) fn member_name(&mut self) -> String {
        if self.happens(15) { PITFALLS[self.below(PITFALLS.len())].to_owned() } else { self.word() }
    }

    /// Returns a text of random letters, with a length within the bounds.
    pub(super) fn text(&mut self, least: usize, most: usize) -> String {
        const LETTERS: [char; 12] = ['a', 'Z', '7', ' ', 'é', 'ß', '日', '🙂', '"', '\\', '<', '\u{202e}'];
        let most = most.min(least + 24);
        let length = least + self.below(most - least + 1);
        (0..length).map(|_| LETTERS[self.below(LETTERS.len())]).collect()
    }
}
