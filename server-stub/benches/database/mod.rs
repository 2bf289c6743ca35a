//! Fresh databases for benches that measure the store. What is measured in them is each bench's business.

mod fresh;
mod schema;

pub(crate) use fresh::{Database, Engine};
