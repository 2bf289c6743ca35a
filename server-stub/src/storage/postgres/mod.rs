//! PostgreSQL: several processes on several machines share one database. A few threads hold a connection each; writes are
//! grouped, hints travel by `LISTEN` and `NOTIFY`.

mod address;
mod backend;
mod error;
mod hints;
mod lane;
mod link;
mod many;
mod migration;
mod session;
mod submissions;
mod value;
mod wire;

pub(super) use address::Address;
pub(super) use backend::Postgres;
