//! A cache of rows that nearly every request reads, valid until anyone commits to the database. Which rows those are is
//! decided in `backend`.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::Hash;
use std::mem::ManuallyDrop;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::domain::store::Result;

/// The first copy of the header of SQLite's WAL index, bytes. A commit shows to readers when this copy changes: it holds a
/// change counter, the number of frames and their checksum.
const HEADER_BYTES: usize = 48;

/// A stamp as it was read. As long as a later one equals it, nothing was committed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct StampValue([u8; HEADER_BYTES]);

/// The part of the database that every commit changes, whichever process commits. Reading it takes one system call; a read
/// transaction would take several.
pub(super) struct CommitStamp {
    // Never closed: closing any descriptor of a file drops the locks that this process holds on it, SQLite's included.
    index: Option<ManuallyDrop<File>>,
}

impl CommitStamp {
    /// The stamp of the database at `path`, which a connection holds open in WAL mode. This relies on a file
    /// reading like its memory map, as on Linux. Elsewhere there is no stamp, and nothing is cached.
    pub(super) fn of(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push("-shm");
        let index = cfg!(target_os = "linux").then(|| File::open(name).ok()).flatten();
        Self { index: index.map(ManuallyDrop::new) }
    }

    fn read(&self) -> Option<StampValue> {
        let mut header = [0; HEADER_BYTES];
        self.index.as_ref()?.read_exact_at(&mut header, 0).ok()?;
        Some(StampValue(header))
    }
}

impl fmt::Debug for CommitStamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CommitStamp").finish_non_exhaustive()
    }
}

/// At most `capacity` rows, all read under one stamp.
pub(super) struct RowCache<K, V> {
    capacity: usize,
    rows: Mutex<(Option<StampValue>, HashMap<K, V>)>,
}

impl<K: Eq + Hash, V: Clone> RowCache<K, V> {
    /// An empty cache.
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, rows: Mutex::default() }
    }

    /// The row of `key`: as it was read last if nothing was committed since, else as `load` reads it now.
    pub(super) fn read<Q>(
        &self,
        commit_stamp: &CommitStamp,
        key: &Q,
        load: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        // Taken before the row is read: a commit in between makes the row newer than its stamp says, never older.
        let Some(stamp) = commit_stamp.read() else { return load() };
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
        let loaded = load()?;
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
