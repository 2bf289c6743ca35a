//! `cargo trials fleet` runs the conformance suite against several server processes on one PostgreSQL behind a balancer.

mod balancer;
mod command;
mod member;
pub(crate) mod target;

pub(crate) use command::{Arguments, run};
pub(crate) use member::Member;
