//! The kinds of errors, by what a caller can do about them.

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
