//! Operation of a server: metrics, health, shutdown, the log, and the operator's guide.

mod causes;
mod connections;
mod deploy;
mod guide;
mod headers;
mod health;
mod logs;
pub(crate) mod metrics;
pub(crate) mod raw_connection;
