//! The writer that needs no network: templates, a seeded random source, and repeated tries until a Brand DNA profile is kept.
//!
//! It writes English whatever language was ordered, says nothing that it cannot know (no figures, quotations or
//! sources), and the same brief always gives the same bytes. Rendering and checking are `assemble`'s business.

mod compose;
mod formal_words;
mod front_matter;
mod grade_fitting;
mod grammar;
mod keyword_placement;
mod length;
mod markdown_blocks;
mod plain_text;
mod plan;
mod prose;
mod seed;
mod sentence;
mod sentence_renderer;
mod slot_values;
mod topic;
mod topic_forms;
mod topic_words;
mod wording;
mod writer;

pub use writer::OfflineWriter;
