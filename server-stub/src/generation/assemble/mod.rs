//! Turns a draft into an article: checks the voice, repairs the draft and derives all other fields. Writes no prose.

mod closing;
mod html;
mod markdown;
mod mechanical_repair;
mod pipeline;
mod structured_data;

pub(super) use closing::forbidden_terms;
pub use closing::{Closing, closing};
pub use html::{count_words, render, sanitise};
pub use markdown::{clip, escape, link, single_spaced};
pub(super) use mechanical_repair::with_case_of;
pub use pipeline::write_article;
