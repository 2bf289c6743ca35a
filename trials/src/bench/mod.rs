//! `cargo trials bench`: the benches under one short name. What they measure is theirs.

mod command;
mod contender;
mod sdk_build;
mod suite;

pub(crate) use command::{Arguments, run};
