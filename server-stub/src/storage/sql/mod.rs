//! The common parts of both databases: statements, values, rows and sessions. The SQL is in the files of the subjects;
//! connections are in `sqlite` and `postgres`.

mod columns;
mod json;
pub(super) mod read;
mod session;
mod statement;
mod value;

pub(super) use columns::{Columns, Row};
pub(super) use json::to_json;
pub(super) use session::{ExclusiveSession, Session};
pub(super) use statement::{BatchStatement, Statement, locking};
pub(super) use value::{Value, values};
