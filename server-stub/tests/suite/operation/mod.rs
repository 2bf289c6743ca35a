//! What an operator sees of a server: metrics, health, how it stops, what its log holds, what its guide promises.

mod causes;
mod guide;
mod health;
mod logs;
pub(crate) mod metrics;
pub(crate) mod raw_connection;
