//! Proves the suite itself: servers that are wrong in one way each must be caught, correct ones that are different must pass.
//!
//! The faults are those of the crate `contentgen-faults`, in front of the reference server or of any other; what is printed about
//! them is `cli`'s.

mod attempt;
mod matrix;
mod origin;
mod page;
mod plan;
mod registrar;
mod run;
mod trial;
mod turns;

pub use contentgen_faults::catalogue::{Fault, Kind, all as faults};
pub use matrix::{Area, HealthyRun, Matrix, VERSION};
pub use origin::Origin;
pub use page::page;
pub use plan::Plan;
pub use run::{News, run};
pub use trial::{Trial, Verdict};
pub use turns::Turns;
