//! Reads the platform key from a request (RFC 6750 section 2.1). The use case decides whether it is valid.

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};

use super::problem::{Code, Problem};
use crate::app::{App, Caller, Error};

/// Returns the caller that the request's key identifies.
pub(super) async fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Err(missing()) };
    if values.next().is_some() {
        return Err(Error::InvalidCredentials.into());
    }
    let value = value.as_bytes();
    let (scheme, rest) = value.split_at(value.iter().position(|byte| *byte == b' ').unwrap_or(value.len()));
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(missing());
    }
    let secret = std::str::from_utf8(rest).map_err(|_| Error::InvalidCredentials)?.trim_matches(' ');
    Ok(app.authenticate(secret).await?)
}

fn missing() -> Problem {
    Problem::new(Code::MissingCredentials, "Send the platform key as `Authorization: Bearer <key>`.")
        .with_header(WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="content-generation""#))
}
