//! `cargo trials costs`: measures how many requests each requirement of the suite makes of each quota, and what it meets of the document.

mod command;

pub(crate) use command::{Arguments, run};
