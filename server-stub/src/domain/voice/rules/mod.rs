//! The measurable rules, one module per family.

mod report;
mod shape;
mod viewpoint;
mod wording;

pub use report::{VoiceCheck, VoiceReport, check, check_wording};
pub use shape::{WORD_COUNT_TOLERANCE, content_words, normalized};
pub(super) use viewpoint::{PersonalPronouns, exempt_text, is_exempt, keeps_point_of_view, personal_pronouns};
pub use viewpoint::{Pronouns, count_pronouns, count_pronouns_in};
pub(super) use wording::{CONTRACTION, EXCLAMATION_MARKS, PICTOGRAPH, measured_grade};
pub use wording::{count_exclamations, emoji, has_contraction};
