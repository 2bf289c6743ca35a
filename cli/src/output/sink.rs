//! Destination of long results: standard output as they arrive, or a file that appears when it is complete.

use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use super::pending_file::PendingFile;
use super::screen::{print_bytes, terminal_width};
use crate::failure::{Exit, Failure};

/// Readers of a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privacy {
    /// Only its owner, because it contains personal data.
    Personal,
    /// All users who may read the owner's other files.
    Usual,
}

/// A destination.
#[derive(Debug)]
pub(crate) enum Sink {
    /// Standard output.
    Output,
    /// A file that appears when it is complete.
    File(PendingFile),
    /// A device or a named pipe, which cannot be replaced.
    Device(PathBuf, File),
}

impl Sink {
    /// Opens the file at a path, or standard output without one or for `-`.
    pub(crate) fn open(path: Option<&Path>, privacy: Privacy) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Output);
        };
        let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if !is_special {
            return PendingFile::begin(path, privacy).map(Self::File).map_err(|error| unwritable(path, &error));
        }
        let device = File::options().write(true).open(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self::Device(path.to_owned(), device))
    }

    /// Returns true for a file, also one that the shell redirected standard output to. It takes every text unchanged. Other destinations
    /// may end at a terminal or in the log of a CI system.
    pub(crate) fn is_file(&self) -> bool {
        match self {
            Self::Output => is_redirected_to_file(),
            Self::File(_) => true,
            Self::Device(..) => false,
        }
    }

    /// Returns the width of the terminal in columns, if the output is the terminal of standard output.
    pub(crate) fn width(&self) -> Option<usize> {
        matches!(self, Self::Output).then(terminal_width)?
    }

    /// Returns true if the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Self::Output => std::io::stdout().is_terminal(),
            Self::File(_) => false,
            Self::Device(_, device) => device.is_terminal(),
        }
    }

    /// Appends text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.write_bytes(text.as_bytes())
    }

    /// Appends bytes.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Output => print_bytes(bytes),
            Self::File(file) => file.write(bytes).map_err(|error| unwritable(file.path(), &error)),
            Self::Device(path, device) => device.write_all(bytes).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Completes the output: the file appears or replaces the old one.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self::File(file) = self else { return Ok(()) };
        let path = file.path().to_owned();
        file.put_in_place().map_err(|error| unwritable(&path, &error))
    }
}

/// Returns true if standard output is a file, as after `> article.md`.
#[cfg(unix)]
fn is_redirected_to_file() -> bool {
    let output = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned();
    output.and_then(|output| File::from(output).metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// Returns true if standard output is a file, as after `> article.md`.
#[cfg(windows)]
fn is_redirected_to_file() -> bool {
    let output = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned();
    output.and_then(|output| File::from(output).metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// Makes the failure of a file. Leaves out the path of the temporary file, which `tempfile` adds.
fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let reason = error.to_string();
    let reason = reason.split(" at path ").next().unwrap_or_default();
    Failure::new(Exit::Failed, format!("{} cannot be written: {reason}", path.display()))
        .advise("choose another file with --output")
}
