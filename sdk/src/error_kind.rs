//! The kinds of errors, by what a caller can do about them.

use std::fmt;

/// What went wrong, seen from the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The client could not be set up; nothing was sent.
    Config,
    /// The request is not one that can be sent: a missing or overlong member, an impossible id. Nothing was sent.
    InvalidRequest,
    /// No connection came about.
    Connect,
    /// A time limit passed: of an attempt, of a call, or of waiting for a job.
    Timeout,
    /// The connection failed while a request or an answer was on its way.
    Transport,
    /// The answer is longer than the options allow.
    TooLarge,
    /// The answer was a success that cannot be read as what the operation answers.
    UnexpectedAnswer,
    /// The stored copy that the request named is still current (304).
    NotModified,
    /// The server refused; [`Error::status`](crate::Error::status), [`Error::code`](crate::Error::code) and
    /// [`Error::problem`](crate::Error::problem) say why.
    Api,
    /// The job ended without an article: it failed or was cancelled.
    Generation,
}

/// In a few words without numbers, ids or texts of the server, such as an application shows or counts.
impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Config => "the client is not set up",
            Self::InvalidRequest => "the request cannot be sent",
            Self::Connect => "no connection",
            Self::Timeout => "out of time",
            Self::Transport => "the connection failed",
            Self::TooLarge => "the answer is too long",
            Self::UnexpectedAnswer => "the answer cannot be read",
            Self::NotModified => "not modified",
            Self::Api => "refused by the server",
            Self::Generation => "the job ended without an article",
        })
    }
}
