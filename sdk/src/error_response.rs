//! How our error passes through generated code, which knows HTTP responses and errors of the HTTP client only: inside
//! a response with a status that no server sends, which generated code hands back untouched.

use bytes::Bytes;

use crate::error::Error;

/// Above all statuses of HTTP, and within what the type allows.
const STATUS: u16 = 999;

/// A response that carries an error.
pub(crate) fn carrying(error: Error) -> reqwest::Response {
    let mut response = http::Response::new(Bytes::new());
    *response.status_mut() = http::StatusCode::from_u16(STATUS).expect("999 has three digits");
    response.extensions_mut().insert(error);
    reqwest::Response::from(response)
}

/// The error that a response carries, if it is one of ours.
pub(crate) fn carried(response: &mut reqwest::Response) -> Option<Error> {
    response.extensions_mut().remove::<Error>()
}

/// The call that an answer belongs to, for the error of one that cannot be read.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) operation: &'static str,
    pub(crate) attempts: u32,
}

/// What generated code hands on with an answer without looking at it.
#[derive(Clone)]
pub(crate) struct Arrived {
    pub(crate) origin: Origin,
    /// The whole body. A new response around it would cost more than all else that is done here.
    pub(crate) body: Bytes,
}

/// Notes on an answer what has arrived.
pub(crate) fn note(response: &mut reqwest::Response, arrived: Arrived) {
    response.extensions_mut().insert(arrived);
}

/// What has arrived with an answer that the hooks have let through.
pub(crate) fn arrived(response: &mut reqwest::Response) -> Option<Arrived> {
    response.extensions_mut().remove::<Arrived>()
}
