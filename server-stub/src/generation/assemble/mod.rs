//! Turns a draft into an article: checks the voice, repairs the draft and derives all other fields. Writes no prose.

mod closing;
mod html;
mod markdown;
mod pipeline;

pub use closing::{Closing, closing};
pub use html::{count_words, render, sanitise};
pub use markdown::{clip, escape, link, single_spaced};
pub use pipeline::{edited, write_article};
