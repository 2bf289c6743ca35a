//! `cargo trials costs` measures how many requests of each quota a requirement of the suite makes, and which parts of the document it
//! covers.

mod command;

pub(crate) use command::{Arguments, run};
