//! One SQLite file, with its writer and its readers.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::domain::clock::Timestamp;
use crate::domain::key::{ApiKey, SecretHash};
use crate::domain::randomness::Randomness;
use crate::domain::store::{Result, StoredArticle};
use crate::storage::OpenError;
use crate::storage::sql::Session;
use crate::storage::takeover;

use super::readers::Readers;
use super::row_cache::{CommitStamp, RowCache};
use super::writer::Writer;
use super::{connection, file_access, migration, serving};

/// Maximum number of cached keys, more than are in use at a time.
const CACHED_KEYS: usize = 1024;
/// Maximum number of cached articles, which take a few MiB.
const CACHED_ARTICLES: usize = 128;

/// One database file.
#[derive(Debug)]
pub(in crate::storage) struct Sqlite {
    pub(in crate::storage) readers: Readers,
    pub(in crate::storage) writer: Writer,
    commit_stamp: CommitStamp,
    keys: RowCache<SecretHash, ApiKey>,
    articles: RowCache<String, StoredArticle>,
    /// Held while this process serves the file.
    _serving: Option<File>,
}

impl Sqlite {
    /// Checks that the file is ours and can be used, without changing it. Returns the check of the key for secrets, if the
    /// database has one.
    pub(in crate::storage) fn inspect(path: &Path) -> Result<Option<[u8; 32]>, OpenError> {
        migration::inspect(path)
    }

    /// Opens the file at `path`. Creates it if it is missing, and brings its schema up to date. With `serving_since`, this
    /// process becomes the only one that serves the file, and ends the leases of a former one.
    pub(in crate::storage) fn open(
        path: &Path,
        serving_since: Option<Timestamp>,
        randomness: &Arc<dyn Randomness>,
    ) -> Result<Self, OpenError> {
        let serving = serving_since.map(|_| serving::lock(path)).transpose()?;
        let unreachable = |source| OpenError::Unreachable { path: path.to_owned(), source };
        file_access::create(path).map_err(|error| unreachable(error.into()))?;
        migration::migrate(path).map_err(|error| unreachable(error.into()))?;
        let connection = connection::writing(path).map_err(|error| unreachable(error.into()))?;
        if let Some(now) = serving_since {
            file_access::warn_if_readable(path);
            // Updates the planner's statistics of tables that have grown, in a few milliseconds (SQLite, "PRAGMA
            // optimize").
            connection.execute_batch("PRAGMA optimize = 0x10002").map_err(|error| unreachable(error.into()))?;
            let ended = serving::take_over(&connection, &**randomness, |session| takeover::take_over(session, now));
            match ended.map_err(|error| unreachable(error.into()))? {
                0 => {}
                leases => tracing::info!(leases, "ended the leases of a process that died; its work continues"),
            }
        }
        let writer = Writer::start(connection, Arc::clone(randomness)).map_err(|error| unreachable(error.into()))?;
        Ok(Self {
            readers: Readers::new(path.to_owned(), Arc::clone(randomness)),
            writer,
            commit_stamp: CommitStamp::of(path).map_err(|error| unreachable(error.into()))?,
            keys: RowCache::new(CACHED_KEYS),
            articles: RowCache::new(CACHED_ARTICLES),
            _serving: serving,
        })
    }

    /// Returns the schema version of every opened database.
    pub(in crate::storage) const fn schema_version() -> u32 {
        migration::NEWEST
    }

    /// Reads the key with that hash from the cache, or with `read`.
    pub(in crate::storage) async fn read_key<F>(&self, hash: SecretHash, read: F) -> Result<Option<ApiKey>>
    where
        F: FnMut(&mut dyn Session) -> Result<Option<ApiKey>> + Send + 'static,
    {
        self.keys.read(&self.commit_stamp, &hash, || self.readers.read_few(read)).await
    }

    /// Reads the article with that id from the cache, or with `read`.
    pub(in crate::storage) async fn read_article<F>(&self, id: &str, read: F) -> Result<Option<StoredArticle>>
    where
        F: FnMut(&mut dyn Session) -> Result<Option<StoredArticle>> + Send + 'static,
    {
        self.articles.read(&self.commit_stamp, id, || self.readers.read_few(read)).await
    }
}
