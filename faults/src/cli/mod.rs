//! The commands of `contentgen-faults`.

mod arguments;
mod control;
mod list;
mod model;
mod run;
mod serve;

pub use run::run;
