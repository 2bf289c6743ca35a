//! Rows that nearly every request reads again, kept for exactly as long as nothing is committed to the database by anyone.
//! Which rows those are is decided in `store`.

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
const HEADER: usize = 48;

/// What the database looked like at a moment: equal stamps mean that nothing was committed in between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp([u8; HEADER]);

/// Tells whether anything was committed, by this process or another, for one system call instead of a read transaction.
pub(super) struct Changes {
    // Never closed: closing any descriptor of a file drops the locks that this process holds on it, SQLite's included.
    index: Option<ManuallyDrop<File>>,
}

impl Changes {
    /// Watches the database at `path`, which a connection holds open in WAL mode. Where files and mappings of them may
    /// differ nothing is watched, and then nothing is kept.
    pub(super) fn watch(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push("-shm");
        let index = cfg!(target_os = "linux").then(|| File::open(name).ok()).flatten();
        Self { index: index.map(ManuallyDrop::new) }
    }

    fn stamp(&self) -> Option<Stamp> {
        let mut header = [0; HEADER];
        self.index.as_ref()?.read_exact_at(&mut header, 0).ok()?;
        Some(Stamp(header))
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Changes").finish_non_exhaustive()
    }
}

/// At most so many rows, all of one stamp.
pub(super) struct Recent<K, V> {
    capacity: usize,
    rows: Mutex<(Option<Stamp>, HashMap<K, V>)>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Keeps nothing yet.
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, rows: Mutex::default() }
    }

    /// The row of `key`: as it was read last if nothing was committed since, else as `load` reads it now.
    pub(super) fn read<Q>(
        &self,
        changes: &Changes,
        key: &Q,
        load: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        // Taken before the row is read: a commit in between makes the row newer than its stamp says, never older.
        let Some(stamp) = changes.stamp() else { return load() };
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

impl<K, V> fmt::Debug for Recent<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recent").finish_non_exhaustive()
    }
}
