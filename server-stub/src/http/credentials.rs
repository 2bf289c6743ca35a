//! Reads the platform key from a request (RFC 6750 section 2.1). Whether it is accepted is the use case's business.

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};

use super::problem::{Code, Problem};
use crate::app::{App, Caller, Error};
use crate::domain::fault::table::{auth, outside};

/// The caller behind the request's key.
pub(super) async fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        if let Some(secret) = auth::CALLER_KEPT.recall("secret") {
            return Ok(app.authenticate(&secret).await?);
        }
        return Err(missing());
    };
    if values.next().is_some() && !auth::FIRST_HEADER_WINS.is_on() {
        return Err(Error::InvalidCredentials.into());
    }
    let value = value.as_bytes();
    let (scheme, rest) = value.split_at(value.iter().position(|byte| *byte == b' ').unwrap_or(value.len()));
    let rest = if auth::KEY_ALONE.is_on() && rest.is_empty() { scheme } else { rest };
    let is_bearer =
        if auth::SCHEME_WITH_CASE.is_on() { scheme == b"Bearer" } else { scheme.eq_ignore_ascii_case(b"bearer") };
    let is_any = (auth::KEY_ALONE.is_on() && rest == scheme) || auth::ANY_SCHEME.is_on() || auth::KEY_SEARCHED.is_on();
    if !is_bearer && !is_any {
        return Err(missing());
    }
    let secret = std::str::from_utf8(rest).map_err(|_| Error::InvalidCredentials)?.trim_matches(' ');
    if secret.is_empty() && auth::EMPTY_IS_MISSING.is_on() {
        return Err(missing());
    }
    let secret = if auth::KEY_IN_QUOTES.is_on() { secret.trim_matches('"') } else { secret };
    auth::CALLER_KEPT.keep("secret", secret);
    auth::ARTICLE_OPEN.keep("secret", secret);
    outside::HEAD_OPEN.keep("secret", secret);
    app.authenticate(secret).await.map_err(|error| match error {
        Error::InvalidCredentials if auth::WRONG_IS_MISSING.is_on() => missing(),
        Error::InvalidCredentials if auth::WRONG_IS_404.is_on() => Error::NoSuchPage.into(),
        Error::InvalidCredentials if auth::WRONG_WITHOUT_ERROR.is_on() => {
            let challenge = HeaderValue::from_static(r#"Bearer realm="content-generation""#);
            Problem::new(Code::InvalidCredentials, "The key is not accepted.").with_header(WWW_AUTHENTICATE, challenge)
        }
        Error::InvalidCredentials if auth::KEY_IN_DETAIL.is_on() => {
            Problem::new(Code::InvalidCredentials, format!("The key {secret} is not accepted."))
        }
        other => other.into(),
    })
}

fn missing() -> Problem {
    if auth::MISSING_WITHOUT_CHALLENGE.is_on() {
        return Problem::new(Code::MissingCredentials, "Send the platform key.");
    }
    let code = if auth::MISSING_IS_403.is_on() { Code::InsufficientScope } else { Code::MissingCredentials };
    Problem::new(code, "Send the platform key as `Authorization: Bearer <key>`.")
        .with_header(WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="content-generation""#))
}
