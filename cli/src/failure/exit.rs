//! Exit codes, a stable interface for scripts. `advice` maps errors to them.

use std::process::ExitCode;

/// Section about the exit codes in `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    the server refused the request, or something could not be read or written
  2    the command line or the environment is wrong
  3    the server cannot be reached, or does not respond
  4    the wait ended before the job; the job continues
  5    the job ended without an article: it failed or was cancelled
  6    the server does not accept the key, or the key lacks the API scope
  130  interrupted by Ctrl-C
  143  ended by SIGTERM";

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The command succeeded, or the reader of its output has ended.
    Done = 0,
    /// The service refused, or an input or output failed.
    Failed = 1,
    /// The command line or the environment is wrong.
    Usage = 2,
    /// The server is unreachable or does not respond.
    Unreachable = 3,
    /// The wait timed out; the job continues.
    TimedOut = 4,
    /// The job failed or was cancelled.
    NoArticle = 5,
    /// The server does not accept the key, or the key lacks the scope.
    Unauthorized = 6,
    /// Interrupted by the user, with the exit code of shells (128 + SIGINT).
    Interrupted = 130,
    /// Terminated, with the exit code of shells (128 + SIGTERM).
    Terminated = 143,
}

/// Signal that ends the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, from a supervisor or the system.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix ends a program by this signal"))]
    Terminate,
}

impl Exit {
    /// Returns its word in JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::NoArticle => "no_article",
            Self::Unauthorized => "unauthorized",
            Self::Interrupted => "interrupted",
            Self::Terminated => "terminated",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
