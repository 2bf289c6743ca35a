//! Coverage of the document by a run: operations, parameters, statuses, problem codes, and the keywords that bound requests.
//!
//! Coverage does not affect the verdict. `report` derives the reason for each gap from the outcomes of the requirements
//! that usually cover it.

mod constraint;
mod keywords;
mod part;
mod recorder;

pub use constraint::Side;
pub use part::{Coverage, Part, PartCoverage, PartKind};
pub(crate) use recorder::Recorder;
