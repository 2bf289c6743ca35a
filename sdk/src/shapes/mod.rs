//! What types of the document have in common, as templates that generated code fills in: vocabularies that may grow, unions that a
//! member tells apart, filters, maps of texts, and operations that answer in pages. Which of them there are is generated.

mod filter;
mod map_of_texts;
mod paged;
mod tagged_union;
mod vocabulary;

pub(crate) use filter::filter;
pub(crate) use map_of_texts::map_of_texts;
pub(crate) use paged::paged;
pub use tagged_union::UnknownKind;
pub(crate) use tagged_union::tagged_union;
pub use vocabulary::UnknownValue;
pub(crate) use vocabulary::vocabulary;
