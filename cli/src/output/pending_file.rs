//! A temporary file beside the one that it replaces. Readers see the old file or the new one, never half of it. A dropped temporary file
//! is deleted.

use std::fs::Permissions;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::Privacy;

/// A file that is not complete yet.
#[derive(Debug)]
pub(crate) struct PendingFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl PendingFile {
    /// Creates an empty file for a path. Replaces the target of a link, not the link.
    pub(super) fn begin(path: &Path, privacy: Privacy) -> io::Result<Self> {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".contentgen-");
        if let Some(permissions) = permissions(&path, privacy) {
            builder.permissions(permissions);
        }
        let file = BufWriter::new(builder.tempfile_in(folder)?);
        Ok(Self { path, file })
    }

    /// Returns the final path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Syncs the file to the disk and moves it to its final path.
    pub(super) fn put_in_place(self) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// Returns the permissions of the new file. With personal data, only its owner may read it. Otherwise it gets the permissions of the old
/// file, or those of the user's mask. `None` means the owner only.
fn permissions(path: &Path, privacy: Privacy) -> Option<Permissions> {
    match (std::fs::metadata(path), privacy) {
        (_, Privacy::Personal) => None,
        (Ok(metadata), Privacy::Usual) => Some(metadata.permissions()),
        #[cfg(unix)]
        (Err(_), Privacy::Usual) => Some(std::os::unix::fs::PermissionsExt::from_mode(0o666)),
        #[cfg(not(unix))]
        (Err(_), Privacy::Usual) => None,
    }
}
