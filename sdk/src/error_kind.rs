//! Kinds of errors, grouped by the caller's possible reactions.

use std::fmt;

/// Kind of an error, from the caller's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The client could not be set up; nothing was sent.
    Config,
    /// The request is invalid: a missing or overlong field, an impossible id. Nothing was sent.
    InvalidRequest,
    /// No connection could be made.
    Connect,
    /// No complete response arrived in time: within an attempt, a call, or a wait for a job on a server that stopped responding.
    Timeout,
    /// The time limit of a wait for a job passed, and the job probably continues. [`Error::job_id`](crate::Error::job_id) is the job to
    /// wait for again.
    WaitTimeout,
    /// The connection failed while a request was sent or a response was received.
    Transport,
    /// The response is longer than the options allow.
    TooLarge,
    /// The response was a success whose body does not match the operation's response type.
    UnexpectedResponse,
    /// The stored copy that the request named is still current (304).
    NotModified,
    /// The server refused the request. See [`Error::status`](crate::Error::status), [`Error::code`](crate::Error::code) and
    /// [`Error::problem`](crate::Error::problem).
    Api,
    /// The job ended without an article: it failed or was cancelled.
    Generation,
}

/// A few words without numbers, ids or texts of the server, fit to be shown or counted by an application.
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
