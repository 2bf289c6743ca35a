//! `cargo xtask screenshots`: pictures of every page of the dashboard, for people to look at.

mod command;

pub(crate) use command::{Arguments, run};
