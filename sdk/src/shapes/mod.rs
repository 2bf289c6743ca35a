//! Templates for types of the document, which generated code instantiates: open vocabularies, tagged unions, maps of texts, and
//! the builders of operations.

mod map_of_texts;
mod operation;
mod tagged_union;
mod vocabulary;

pub(crate) use map_of_texts::map_of_texts;
pub(crate) use operation::{operation, paged};
pub use tagged_union::UnknownKind;
pub(crate) use tagged_union::tagged_union;
pub use vocabulary::UnknownValue;
pub(crate) use vocabulary::vocabulary;
