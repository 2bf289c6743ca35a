//! The PostgreSQL that the environment names: a schema or a database of its own for each test.

mod database;
mod proxy;
mod schema;

pub(crate) use database::OwnDatabase;
pub(crate) use proxy::Proxy;
pub(crate) use schema::Schema;
