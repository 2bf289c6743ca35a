//! Random choices of the writer, which depend only on a hash of the brief. The Unicode form of its texts does not matter.

use sha2::{Digest, Sha256};

use crate::domain::unicode_form::composed;
use crate::generation::generator::ArticleBrief;

/// Returns the dice of a brief and an attempt. They are always the same for the same input.
pub(super) fn dice(brief: &ArticleBrief, attempt: u32) -> Dice {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    };
    add(composed(&brief.topic).as_bytes());
    add(brief.website.website_id.as_bytes());
    add(&brief.voice.version.to_be_bytes());
    add(brief.language.as_bytes());
    add(&brief.target_word_count.to_be_bytes());
    for keyword in &brief.keywords {
        add(composed(keyword).as_bytes());
    }
    add(&attempt.to_be_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    Dice { seed: u64::from_be_bytes(*first) }
}

/// Random numbers that depend on a place in the prose, so that changing one sentence does not change the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dice {
    seed: u64,
}

impl Dice {
    /// Returns a pseudo-random number, always the same for the same place.
    pub(super) fn draw(self, place: u64) -> u64 {
        let mut mixed = self.seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub(super) fn share(self, place: u64) -> f64 {
        f64::from(u32::try_from(self.draw(place) >> 32).expect("32 bits are left")) / (f64::from(u32::MAX) + 1.0)
    }

    /// Returns an index below `length`, which must not be 0.
    pub(super) fn index(self, place: u64, length: usize) -> usize {
        usize::try_from(self.draw(place) % length as u64).expect("below a length")
    }
}
