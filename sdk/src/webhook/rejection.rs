//! Responses to requests that are not valid hooks (feature `axum`).

use std::fmt;

use axum_core::response::{IntoResponse, Response};
use http::StatusCode;

use super::VerifyError;

/// Reason why a request did not reach the handler of a [`Verified`](super::Verified) hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HookRejection {
    /// The body is longer than this many bytes; answered with 413.
    #[non_exhaustive]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The body broke off; answered with 400.
    Incomplete,
    /// The signature, its time or its id is invalid; answered with 400.
    Refused(VerifyError),
}

impl HookRejection {
    /// Status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Incomplete | Self::Refused(_) => StatusCode::BAD_REQUEST,
        }
    }
}

impl fmt::Display for HookRejection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit } => write!(formatter, "the body of the webhook is larger than {limit} bytes"),
            Self::Incomplete => formatter.write_str("the body of the webhook is incomplete"),
            Self::Refused(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for HookRejection {}

impl IntoResponse for HookRejection {
    fn into_response(self) -> Response {
        (self.status(), self.to_string()).into_response()
    }
}
