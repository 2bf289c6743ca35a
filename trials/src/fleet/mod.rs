//! `cargo trials fleet`: several server processes on one PostgreSQL behind a balancer, and the conformance suite against them. How
//! they share the database is the server's business.

mod balancer;
mod command;
mod member;
pub(crate) mod target;

pub(crate) use command::{Arguments, run};
pub(crate) use member::Member;
