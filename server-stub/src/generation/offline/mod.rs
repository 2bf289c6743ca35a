//! The writer that needs no network: templates, a seeded random source, and repeated tries until a Brand DNA profile is kept.
//!
//! It writes English, German, French and Spanish and refuses other languages, says nothing that it cannot know (no figures, quotations
//! or sources), and the same brief always gives the same bytes. Rendering and checking are `assemble`'s business.

mod article_metadata;
mod compose;
mod english_topic;
mod foreign_topic;
mod formal_words;
mod grade_fitting;
mod joining;
mod keyword_placement;
mod length;
mod markdown_blocks;
mod orthography;
mod placeholder;
mod plain_text;
mod plan;
mod profile_rules;
mod prose;
mod prose_file;
mod seed;
mod sentence_renderer;
mod slot_values;
mod subject_area;
mod template;
mod topic;
mod topic_facets;
mod topic_forms;
mod topic_phrase;
mod topic_words;
mod wording;
mod writer;

pub use writer::OfflineWriter;
