//! The commands of `contentgen-faults`.

mod arguments;
mod control;
mod list;
mod run;
mod serve;

pub use run::run;
