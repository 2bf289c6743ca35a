//! Operation of a server: metrics, health, shutdown, the log, and the operator's guide.

mod causes;
mod guide;
mod health;
mod headers;
mod logs;
pub(crate) mod metrics;
pub(crate) mod raw_connection;
