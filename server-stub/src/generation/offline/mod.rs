//! Writes sample articles without a network, from sentences that are true of any topic: how to ask, plan, compare, check and
//! review.
//!
//! Supports English, German, French and Spanish and refuses other languages. It has no knowledge of the topic: apart from the
//! topic, the keywords and the profile, it names no thing, figure, quotation or source. The same brief always produces the same
//! bytes. `assemble` renders and checks the article.

mod compose;
mod keyword_placement;
mod metadata;
mod orthography;
mod profile_rules;
mod prose;
mod seed;
mod sentence_renderer;
mod topic;
mod writer;

pub use writer::OfflineWriter;
