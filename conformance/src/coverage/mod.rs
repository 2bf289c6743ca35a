//! How much of the document a run met: operations, parameters, statuses, problem codes, and the keywords that bound what is sent.
//!
//! Nothing is judged here. Why a part was not met is worked out in `report`, from what became of the requirements that usually meet it.

mod constraint;
mod keywords;
mod measured;
mod part;
mod recorder;

pub use measured::{Coverage, PartCoverage};
pub use part::{Part, PartKind, Side};
pub(crate) use recorder::Recorder;
