//! `cargo xtask costs`: measures how many requests each requirement of the suite makes of each quota.

mod command;

pub(crate) use command::{Arguments, run};
