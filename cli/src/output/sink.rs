//! Where long results go: to standard output as they come, or into a file that appears when it is complete.

use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use super::pending_file::PendingFile;
use super::print;
use crate::failure::{Exit, Failure};

/// Who may read a file that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privacy {
    /// Its owner only: it has personal data in it.
    Personal,
    /// Whoever may read the user's other files.
    Usual,
}

/// A place to write to.
#[derive(Debug)]
pub(crate) enum Sink {
    /// Standard output.
    Output,
    /// A file that appears when it is complete.
    File(PendingFile),
    /// Something that cannot be replaced, such as a device or a named pipe.
    Device(PathBuf, File),
}

impl Sink {
    /// The file at a path; standard output without one, or for `-`.
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

    /// Whether this is a file, which takes every text as it is; anything else may be a terminal in the end.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// Whether what is written is seen at once, by a person.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Self::Output => std::io::stdout().is_terminal(),
            Self::File(_) => false,
            Self::Device(_, device) => device.is_terminal(),
        }
    }

    /// Writes on.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Output => print(text),
            Self::File(file) => file.write(text).map_err(|error| unwritable(file.path(), &error)),
            Self::Device(path, device) => device.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Everything is written: a file appears, or replaces the one that was there.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self::File(file) = self else { return Ok(()) };
        let path = file.path().to_owned();
        file.put_in_place().map_err(|error| unwritable(&path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("{} cannot be written: {error}", path.display()))
        .advise("choose another file with --output")
}
