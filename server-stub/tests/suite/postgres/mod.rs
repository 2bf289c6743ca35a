//! The PostgreSQL that the environment names: a separate schema or database for each test.

mod database;
mod proxy;
mod schema;

pub(crate) use database::OwnDatabase;
pub(crate) use proxy::Proxy;
pub(crate) use schema::Schema;
