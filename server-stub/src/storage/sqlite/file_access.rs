//! Keeps the files of a database from other users of the machine.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::migration::folder_of;

/// Permissions of a file that let other users read it.
const READABLE: u32 = 0o044;
/// Permissions of a folder that let other users open the files in it.
const OPEN: u32 = 0o011;

/// Creates the database file for its owner only, unless it exists. SQLite gives its other files the same permissions.
pub(super) fn create(path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    // Closes the file before it gets its name: closing any descriptor of the database file would drop SQLite's locks.
    let file = tempfile::NamedTempFile::new_in(folder_of(path))?.into_temp_path();
    match file.persist_noclobber(path).map_err(|error| error.error) {
        // Another process created it first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        outcome => outcome,
    }
}

/// Warns about files of the database that other users can read.
pub(super) fn warn_if_readable(path: &Path) {
    let permissions = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
    if permissions(folder_of(path)) & OPEN == 0 {
        return;
    }
    for ending in ["", "-wal", ".key"] {
        let mut file = path.as_os_str().to_owned();
        file.push(ending);
        if permissions(file.as_ref()) & READABLE != 0 {
            let file = Path::new(&file).display();
            tracing::warn!(%file, "other users of this machine can read this file; run `chmod 600` on it");
        }
    }
}
