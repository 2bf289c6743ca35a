//! A cache of rows that nearly every request reads, valid until the next commit to the database. `engine` chooses the rows.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::domain::store::Result;

use super::connection;

/// A value that changes with each commit of another connection.
type StampValue = i64;

/// Detects commits by any connection or process, with SQLite's `PRAGMA data_version`. It has a separate connection that never
/// writes, because a connection's commits do not change its own value.
pub(super) struct CommitStamp {
    connection: Mutex<Connection>,
}

impl CommitStamp {
    /// Returns the stamp of the database at `path`.
    pub(super) fn of(path: &Path) -> rusqlite::Result<Self> {
        Ok(Self { connection: Mutex::new(connection::reading(path, Duration::ZERO)?) })
    }

    /// Reads the stamp. Returns `None` if SQLite cannot read it at once; then the cache is not used.
    fn read(&self) -> Option<StampValue> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare_cached("PRAGMA data_version").ok()?;
        statement.query_row([], |row| row.get(0)).ok()
    }
}

impl fmt::Debug for CommitStamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CommitStamp").finish_non_exhaustive()
    }
}

/// A cache of at most `capacity` rows, all read under one stamp.
pub(super) struct RowCache<K, V> {
    capacity: usize,
    rows: Mutex<(Option<StampValue>, HashMap<K, V>)>,
}

impl<K: Eq + Hash, V: Clone> RowCache<K, V> {
    /// Returns an empty cache.
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, rows: Mutex::default() }
    }

    /// Returns the row of `key`: from the cache if nothing was committed since it was read, otherwise from `load`.
    pub(super) async fn read<Q, L>(
        &self,
        commit_stamp: &CommitStamp,
        key: &Q,
        load: impl FnOnce() -> L,
    ) -> Result<Option<V>>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
        L: Future<Output = Result<Option<V>>>,
    {
        // Read the stamp before the row: a commit in between makes the row newer than its stamp, never older.
        let Some(stamp) = commit_stamp.read() else { return load().await };
        {
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            if rows.0 != Some(stamp) {
                rows.1.clear();
                rows.0 = Some(stamp);
            }
            if let Some(row) = rows.1.get(key) {
                return Ok(Some(row.clone()));
            }
        }
        let loaded = load().await?;
        if let Some(row) = &loaded {
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            if rows.0 == Some(stamp) && rows.1.len() < self.capacity {
                rows.1.insert(key.to_owned(), row.clone());
            }
        }
        Ok(loaded)
    }
}

impl<K, V> fmt::Debug for RowCache<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowCache").finish_non_exhaustive()
    }
}
