//! `cargo trials bench` runs the benches under short names.

mod command;
mod contender;
mod sdk_build;
mod suite;

pub(crate) use command::{Arguments, run};
