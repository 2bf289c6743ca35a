//! The promises of `store`, kept by PostgreSQL; and what only a database that several share promises. The tests use the server at
//! `CONTENTGEN_TEST_POSTGRES_URL`, each in a schema of its own; without it they say that they skip.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod store;

use std::sync::Arc;

use contentgen_server_stub::domain::store::Store;
use contentgen_server_stub::storage::{self, Options, SecretKey, SecretKeySource};
use store::postgres::Schema;

fn options() -> Options {
    let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    Options { secret_key: Some(SecretKeySource::Given(key)), ..Options::default() }
}

/// A store in a new schema.
pub(crate) fn fresh() -> Option<(Arc<dyn Store>, Schema)> {
    let schema = Schema::new()?;
    Some((storage::open(schema.address(), &options()).unwrap(), schema))
}

store::promises::promises!(super::fresh);
