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

/// Notes on an answer which call it belongs to.
pub(crate) fn note_origin(response: &mut reqwest::Response, origin: Origin) {
    response.extensions_mut().insert(origin);
}

/// The call that an answer belongs to.
pub(crate) fn origin(response: &reqwest::Response) -> Option<Origin> {
    response.extensions().get::<Origin>().copied()
}
