//! The writer that needs no network. It writes sample articles: how to ask, plan, compare, check and review, which is true of any topic.
//!
//! It writes English, German, French and Spanish and refuses other languages. It knows nothing about the topic: apart from the topic, the
//! keywords and the profile, it names no thing, figure, quotation or source. The same brief always gives the same bytes. Rendering and
//! checking are done in `assemble`.

mod compose;
mod grade_fitting;
mod keyword_placement;
mod metadata;
mod orthography;
mod plain_text;
mod profile_rules;
mod prose;
mod section;
mod seed;
mod sentence_renderer;
mod topic;
mod writer;

pub use writer::OfflineWriter;
