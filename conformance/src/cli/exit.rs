//! The exit codes, which scripts rely on.

use std::process::ExitCode;

use crate::report::Conclusion;
use crate::runner::SetUpError;

/// Exit code of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The target conforms.
    Conformant = 0,
    /// A `Must` is broken.
    NotConformant = 1,
    /// Wrong flags or configuration.
    Usage = 2,
    /// The target cannot be reached, rejects the key, or the set-up failed.
    SetUpFailed = 3,
    /// No requirement was decided.
    NothingRan = 4,
    /// Ended by a signal before every requirement ran, without a broken one until then.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Conclusion> for Exit {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Conformant | Conclusion::PartiallyConformant => Self::Conformant,
            Conclusion::NotConformant => Self::NotConformant,
            Conclusion::SetUpFailed => Self::SetUpFailed,
            Conclusion::NothingRan => Self::NothingRan,
        }
    }
}

impl From<&SetUpError> for Exit {
    fn from(error: &SetUpError) -> Self {
        match error {
            SetUpError::Configuration(_) => Self::Usage,
            SetUpError::Target(_) | SetUpError::Document(_) => Self::SetUpFailed,
        }
    }
}
