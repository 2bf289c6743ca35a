//! Fresh databases for benches that measure the store.

mod fresh;
mod schema;

pub(crate) use fresh::{Database, Engine};
