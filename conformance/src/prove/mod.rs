//! Proves the suite itself: servers that are wrong in one way each must be caught, correct ones that are different must pass.
//!
//! The switches are the reference server's; what is printed about them is `cli`'s.

mod matrix;
mod page;
mod plan;
mod run;
mod trial;

pub use matrix::{Area, HealthyRun, Matrix, VERSION};
pub use page::page;
pub use plan::Plan;
pub use run::{News, run};
pub use trial::{Trial, Verdict};
