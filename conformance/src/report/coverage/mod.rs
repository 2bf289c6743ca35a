//! Coverage of the document by a run, with a reason for each gap.

mod model;
mod page;

pub(super) use model::names;
pub use model::{CoverageReport, CoverageTotal, PartReport};
pub(super) use page::CoveragePage;
