//! A finding of a rule, and its text.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place that breaks a rule, the fault, and the fix.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    file: PathBuf,
    line: usize,
    fault: String,
    fix: String,
}

impl Finding {
    /// A finding at a line (1-based) of a file, given relative to the workspace root.
    pub(super) fn new(file: &Path, line: usize, fault: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, fault: fault.into(), fix: fix.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}\n    {}", self.file.display(), self.line, self.fault, self.fix)
    }
}
