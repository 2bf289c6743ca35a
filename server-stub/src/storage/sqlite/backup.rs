//! Copies a database file while other processes read and write it, with SQLite's online backup.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rusqlite::backup::{Backup, Progress, StepResult};
use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use crate::storage::backup::{BackupError, BackupProgress};

use super::{connection, migration};

/// Number of pages copied in one step: 1 MiB.
const STEP_PAGES: i32 = 256;
/// Pause after each step, which limits the copy to 100 MiB per second and leaves the disk to the server.
const STEP_PAUSE: Duration = Duration::from_millis(10);

/// Copies the database at `path` to a new `file`.
pub(in crate::storage) fn back_up(
    path: &Path,
    file: &Path,
    progress: &mut dyn FnMut(BackupProgress) -> ControlFlow<()>,
) -> Result<(), BackupError> {
    migration::inspect(path)?;
    if std::fs::metadata(path).map_or(0, |metadata| metadata.len()) == 0 {
        return Err(BackupError::Missing { path: path.to_owned() });
    }
    if file.symlink_metadata().is_ok() {
        return Err(BackupError::Exists { file: file.to_owned() });
    }
    let not_written = |source: io::Error| BackupError::NotWritten { file: file.to_owned(), source };
    let folder = migration::folder_of(file);
    let copy = tempfile::Builder::new().prefix(".backup-").tempfile_in(folder).map_err(not_written)?;
    copy_pages(path, copy.path(), progress)?;
    finish(copy, folder, file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists { file: file.to_owned() },
        _ => not_written(error),
    })
}

fn copy_pages(
    path: &Path,
    copy: &Path,
    progress: &mut dyn FnMut(BackupProgress) -> ControlFlow<()>,
) -> Result<(), BackupError> {
    let source = connection::reading(path, connection::BUSY_TIMEOUT)?;
    // All steps read in one transaction, which begins with its first query. Otherwise each commit of another process would
    // restart the backup.
    let snapshot = source.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let page_bytes: u32 = snapshot.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let mut target =
        Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // An incomplete copy is deleted, so it needs no journal.
    target.pragma_update(None, "journal_mode", "OFF")?;
    let backup = Backup::new(&snapshot, &mut target)?;
    loop {
        let step = backup.step(STEP_PAGES)?;
        if progress(in_bytes(backup.progress(), page_bytes)).is_break() {
            return Err(BackupError::Interrupted);
        }
        if step == StepResult::Done {
            return Ok(());
        }
        sleep(STEP_PAUSE);
    }
}

fn in_bytes(progress: Progress, page_bytes: u32) -> BackupProgress {
    let bytes = |pages: i32| u64::try_from(pages).unwrap_or(0) * u64::from(page_bytes);
    BackupProgress { copied: bytes(progress.pagecount - progress.remaining), total: bytes(progress.pagecount) }
}

/// Renames the copy after it is written to disk. Fails if a file with that name exists.
fn finish(copy: NamedTempFile, folder: &Path, file: &Path) -> io::Result<()> {
    copy.as_file().sync_all()?;
    copy.persist_noclobber(file)?;
    File::open(folder)?.sync_all()
}
