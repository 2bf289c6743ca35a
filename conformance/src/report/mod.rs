//! Showing what a run found: live progress, a summary, JSON, JUnit.
//!
//! Reports consume events and results; they send nothing and judge nothing.

mod evidence;
mod json;
mod junit;
mod model;
mod terminal;
mod write;

pub use model::{Conclusion, FailureReport, Report, RequirementReport, Status, Summary, TargetReport};
pub use terminal::Terminal;
pub use write::{ReportError, write};
