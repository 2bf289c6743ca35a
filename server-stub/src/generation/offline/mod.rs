//! The writer that needs no network: templates, a seeded random source, and the patience to keep a Brand DNA profile.
//!
//! It writes English whatever language was ordered, says nothing that it cannot know (no figures, quotations or
//! sources), and the same brief always gives the same bytes. Rendering and checking are `assemble`'s business.

mod compose;
mod filling;
mod front;
mod grammar;
mod length;
mod markdown_blocks;
mod phrase;
mod plain_text;
mod plan;
mod prose;
mod register;
mod seed;
mod sentence;
mod topic;
mod topic_forms;
mod topic_words;
mod tuning;
mod voicing;
mod weave;
mod writer;

pub use writer::OfflineWriter;
