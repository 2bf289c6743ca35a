//! The exit codes, which scripts rely on. What leads to which is decided in `advice`.

use std::process::ExitCode;

/// The exit codes as `--help` tells them.
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

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything was done, or nobody reads any more.
    Done = 0,
    /// The service refused, or something could not be read or written.
    Failed = 1,
    /// The command line or the environment is wrong.
    Usage = 2,
    /// The server cannot be reached, or does not answer.
    Unreachable = 3,
    /// The time to wait was over; the job goes on.
    TimedOut = 4,
    /// The job failed or was cancelled.
    NoArticle = 5,
    /// The key is none of the server's, or may not do this.
    Unauthorized = 6,
    /// Interrupted by a person, as a shell would tell it.
    Interrupted = 130,
    /// Told to end, as a shell would tell it.
    Terminated = 143,
}

/// What ends the program from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, from a supervisor or the system.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix tells a program to end by a signal"))]
    Terminate,
}

impl Exit {
    /// The word for it in JSON.
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
