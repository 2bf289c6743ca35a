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
    /// No whole response came in time: within an attempt, a call, or a wait for a job on a server that does not answer any more.
    Timeout,
    /// The time to wait for a job was over, and the job goes on as far as is known: [`Error::job_id`](crate::Error::job_id) says which one
    /// to wait for again.
    WaitTimeout,
    /// The connection failed while a request or a response was on its way.
    Transport,
    /// The response is longer than the options allow.
    TooLarge,
    /// The response was a success that cannot be read as what the operation answers.
    UnexpectedResponse,
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
            Self::Timeout => "no response in time",
            Self::WaitTimeout => "the job did not end in time",
            Self::Transport => "the connection failed",
            Self::TooLarge => "the response is too large",
            Self::UnexpectedResponse => "the response cannot be read",
            Self::NotModified => "not modified",
            Self::Api => "refused by the server",
            Self::Generation => "the job ended without an article",
        })
    }
}
