//! PostgreSQL: several processes on several machines share one database. Each kind of work has a queue with its own threads,
//! which share connections. Writes are grouped, and announcements travel by `LISTEN` and `NOTIFY`.

mod address;
mod announcements;
mod connection;
mod engine;
mod error;
mod lane;
mod migration;
mod quota_windows;
mod reconnecting;
mod session;
mod threads;
mod tls;
mod value;
mod worker_pool;

pub(super) use address::Address;
pub(super) use engine::Postgres;
pub use lane::{MAX_CONNECTIONS, MIN_CONNECTIONS};
