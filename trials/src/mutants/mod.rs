//! `cargo trials mutants` changes the reference server at random places, one at a time, and counts how many changes the suite finds.
//!
//! `cargo-mutants` lists the changes. All are compiled into one copy of the workspace, and a variable of the environment enables one of
//! them, so that the programs are built once and not for each change.

mod build;
mod command;
mod mutation;
mod report;
mod switch;
mod trial;

pub(crate) use command::{Arguments, run};
