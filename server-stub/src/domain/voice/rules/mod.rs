//! The measurable rules, one module per family.

mod check_all;
mod shape;
#[cfg(test)]
mod tests;
mod viewpoint;
mod wording;

pub use check_all::{check, check_wording};
pub use shape::{WORD_COUNT_TOLERANCE, content_words, normalized};
pub use viewpoint::{Pronouns, count_pronouns, count_pronouns_in};
pub(super) use viewpoint::{exempt_text, is_exempt, keeps_point_of_view};
pub(super) use wording::{CONTRACTION, EXCLAMATION_MARKS, PICTOGRAPH, measured_grade};
pub use wording::{count_exclamations, emoji, has_contraction};
