//! Proves the suite itself: it must fail servers with one fault each, and pass correct servers that differ.
//!
//! The crate `contentgen-faults` adds the faults to the reference server or to any other. `cli` prints the results.

mod attempt;
mod matrix;
mod origin;
mod page;
mod plan;
mod registrar;
mod run;

pub use contentgen_faults::catalogue::{Fault, Kind, all as faults};
pub use matrix::{Area, HealthyRun, Matrix, Trial, VERSION, Verdict};
pub use origin::Origin;
pub use page::page;
pub use plan::{Plan, Turns};
pub use run::{News, run};
