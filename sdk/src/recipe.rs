//! What a call sends, the same in each attempt. It is put together anew where an attempt is repeated: a copy that is kept for
//! that case would cost each call that succeeds.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Request};

use crate::error::Error;
use crate::generated::ACCEPT_IDEMPOTENCY_KEY;
use crate::idempotency::{self, IDEMPOTENCY_KEY};

static PREFER: HeaderName = HeaderName::from_static("prefer");
/// Operations that change something and may be repeated all the same: a job that is cancelled stays cancelled, and
/// cancelling it again is a success.
const REPEATABLE_CHANGES: [&str; 1] = ["cancel_job"];
/// The longest time that a server holds an answer for `Prefer: wait=N`.
const LONGEST_HOLD: Duration = Duration::from_mins(1);

/// Generated code that puts the request of a call together, which is the same each time.
pub(crate) type Build<'a> = &'a (dyn Fn() -> Result<Request, progenitor_client::Error<()>> + Sync);

/// How the requests of a call are made, and what the first one said of all of them.
pub(crate) struct Recipe<'a> {
    build: Build<'a>,
    /// Headers that the options add.
    headers: &'a HeaderMap,
    /// One key per logical call, the caller's or one that is made before the first attempt: a repeated attempt repeats it.
    pub(crate) key: Option<HeaderValue>,
    /// Whether sending the request twice has the effect of sending it once.
    pub(crate) is_repeatable: bool,
    /// How long the request asks the server to hold the answer.
    pub(crate) hold: Duration,
}

impl<'a> Recipe<'a> {
    /// The recipe of a call and its first request.
    pub(crate) fn new(
        build: Build<'a>,
        operation: &'static str,
        headers: &'a HeaderMap,
    ) -> Result<(Self, Request), Error> {
        let mut request = built(build, headers)?;
        let key = match request.headers().get(&IDEMPOTENCY_KEY) {
            Some(own) => Some(idempotency::own(own)?),
            None if ACCEPT_IDEMPOTENCY_KEY.contains(&operation) => idempotency::fresh(),
            None => None,
        };
        let is_repeatable = matches!(*request.method(), Method::GET | Method::HEAD)
            || key.is_some()
            || REPEATABLE_CHANGES.contains(&operation);
        let recipe = Self { build, headers, is_repeatable, hold: requested_hold(&request), key };
        recipe.complete(&mut request);
        Ok((recipe, request))
    }

    /// The request once more.
    pub(crate) fn again(&self) -> Result<Request, Error> {
        let mut request = built(self.build, self.headers)?;
        self.complete(&mut request);
        Ok(request)
    }

    fn complete(&self, request: &mut Request) {
        if let Some(key) = &self.key {
            request.headers_mut().insert(&IDEMPOTENCY_KEY, key.clone());
        }
    }
}

/// A request as the call and the options want it.
fn built(build: Build<'_>, headers: &HeaderMap) -> Result<Request, Error> {
    let mut request = build().map_err(Error::not_built)?;
    for (name, value) in headers {
        if *name == PREFER {
            request.headers_mut().append(name, value.clone());
        } else {
            request.headers_mut().insert(name, value.clone());
        }
    }
    Ok(request)
}

/// How long the request asks the server to hold the answer (RFC 7240 section 4.3), in any of the forms that section 2 allows.
fn requested_hold(request: &Request) -> Duration {
    let values = request.headers().get_all(&PREFER).iter().filter_map(|value| value.to_str().ok());
    let seconds = values.flat_map(|value| value.split([',', ';'])).find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        let digits = value.trim().trim_matches('"');
        let is_wait = name.trim().eq_ignore_ascii_case("wait") && digits.bytes().all(|byte| byte.is_ascii_digit());
        // What is no number is no preference, and what is too large for one is more than any server holds.
        (is_wait && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    });
    Duration::from_secs(seconds.unwrap_or(0)).min(LONGEST_HOLD)
}

#[cfg(test)]
mod tests {
    use super::{Duration, Method, PREFER, Request, requested_hold};

    #[test]
    fn a_wait_is_read_in_every_form() {
        let hold = |prefer: &str| {
            let mut request = Request::new(Method::GET, "http://127.0.0.1/".parse().expect("a URL"));
            request.headers_mut().insert(&PREFER, prefer.parse().expect("a header value"));
            requested_hold(&request)
        };
        for prefer in ["wait=7", "Wait=7", "wait = \"7\"", "handling=strict, wait=7", "respond-async; x=1,WAIT=7"] {
            assert_eq!(hold(prefer), Duration::from_secs(7), "{prefer}");
        }
        for prefer in ["wait", "wait=", "wait=-7", "wait=soon", "waiting=7", "handling=strict"] {
            assert_eq!(hold(prefer), Duration::ZERO, "{prefer}");
        }
        assert_eq!(hold("wait=99999999999999999999999"), Duration::from_mins(1));
    }
}
