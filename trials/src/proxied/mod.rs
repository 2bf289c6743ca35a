//! `cargo trials proxied` runs the conformance suite against the server behind nginx, at the root of a host and below a path. A response
//! that comes from the proxy is not a failure of the server.

mod certificate;
mod command;
mod nginx;

pub(crate) use command::{Arguments, run};
