//! `cargo trials proxied`: the conformance suite against the server behind nginx, at the root of a host and below a path. What a proxy
//! answers itself is no failure of the server behind it.

mod certificate;
mod command;
mod nginx;

pub(crate) use command::{Arguments, run};
