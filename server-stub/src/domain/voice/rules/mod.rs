//! The measurable rules, one module per family.

mod call_to_action;
mod check_all;
mod readability;
mod shape;
mod style;
#[cfg(test)]
mod tests;
mod viewpoint;
mod vocabulary;

pub use check_all::{check, check_wording};
pub(super) use readability::measured_grade;
pub use shape::{WORD_COUNT_TOLERANCE, content_words, normalized};
pub(super) use style::{CONTRACTION, EXCLAMATION_MARKS, PICTOGRAPH};
pub use style::{count_exclamations, emoji, has_contraction};
pub use viewpoint::{Pronouns, count_pronouns, count_pronouns_in};
pub(super) use viewpoint::{exempt_text, is_exempt, keeps_point_of_view};
