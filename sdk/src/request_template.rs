//! Request of a call, the same in each attempt. It is rebuilt for each retry: keeping a copy would slow down each call that succeeds at
//! once.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Request, RequestBuilder, Url};

use crate::config::ConfigError;
use crate::error::Error;
use crate::generated::{ACCEPT_IDEMPOTENCY_KEY, REPEATABLE, WITHOUT_KEY};
use crate::idempotency::{self, IDEMPOTENCY_KEY};
use crate::settings::Settings;

/// Name of a request outside the document in errors and in tracing.
pub(crate) const CUSTOM_REQUEST: &str = "request";

static PREFER: HeaderName = HeaderName::from_static("prefer");
/// Maximum time that a server holds a response for `Prefer: wait=N`.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// Generated code that builds the request of a call, the same each time.
pub(crate) type Build<'a> = &'a (dyn Fn() -> Result<Request, Error> + Sync);

/// Effect of sending the same request twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenRetried {
    /// The same effect as one request.
    SameEffect,
    /// The same effect as one request, if the server keeps idempotency keys.
    SameEffectByKey,
    /// A second effect.
    AnotherEffect,
}

/// Builder of the requests of a call, and properties derived from the first one.
pub(crate) struct RequestTemplate<'a> {
    build: Build<'a>,
    /// True if the requests carry the client's key, if it has one.
    carries_key: bool,
    /// Settings with the headers that the client and the options add.
    pub(crate) settings: &'a Settings,
    /// Idempotency key of the call, set by the caller or made before the first attempt. Retries repeat it.
    pub(crate) key: Option<HeaderValue>,
    /// True if the document says that the operation keeps keys. Such operations share what their responses show about key support. A
    /// response of a path outside the document does not count for them, and their responses do not count for such a path.
    pub(crate) keeps_keys_by_document: bool,
    /// Effect of sending the request twice.
    pub(crate) when_retried: WhenRetried,
    /// Time that the request asks the server to hold the response.
    pub(crate) hold: Duration,
}

impl<'a> RequestTemplate<'a> {
    /// Makes the template of a call and its first request.
    pub(crate) fn new(
        build: Build<'a>,
        operation: &'static str,
        settings: &'a Settings,
    ) -> Result<(Self, Request), Error> {
        let carries_key = !WITHOUT_KEY.contains(&operation);
        if carries_key && operation != CUSTOM_REQUEST && settings.key.header().is_none() {
            return Err(ConfigError::MissingKey.into());
        }
        let mut request = built(build, settings, carries_key)?;
        let keeps_keys_by_document = ACCEPT_IDEMPOTENCY_KEY.contains(&operation);
        let key = match request.headers().get(&IDEMPOTENCY_KEY) {
            Some(own) => Some(own.clone()),
            None if keeps_keys_by_document => Some(idempotency::fresh().ok_or_else(Error::without_randomness)?),
            None => None,
        };
        let when_retried = if request.method().is_idempotent() || REPEATABLE.contains(&operation) {
            WhenRetried::SameEffect
        } else if key.is_some() {
            WhenRetried::SameEffectByKey
        } else {
            WhenRetried::AnotherEffect
        };
        let hold = requested_hold(&request);
        let template = Self { build, carries_key, settings, key, keeps_keys_by_document, when_retried, hold };
        template.complete(&mut request);
        Ok((template, request))
    }

    /// Returns true if a retry with the same key has no second effect, as far as the caller says so or the server has shown.
    pub(crate) fn server_keeps_keys(&self) -> bool {
        let settings = self.settings;
        settings.options.server_keeps_idempotency_keys || (self.keeps_keys_by_document && settings.shared.keeps_keys())
    }

    /// Returns true if redirects may be followed, which only an application's own HTTP client does.
    pub(crate) fn may_be_redirected(&self) -> bool {
        self.settings.is_foreign_client
    }

    /// Returns true if a redirect led to the address of the response.
    pub(crate) fn was_redirected(&self, responding: &Url) -> bool {
        self.again().map_or(true, |request| request.url() != responding)
    }

    /// Builds the request once more.
    pub(crate) fn again(&self) -> Result<Request, Error> {
        let mut request = built(self.build, self.settings, self.carries_key)?;
        self.complete(&mut request);
        Ok(request)
    }

    fn complete(&self, request: &mut Request) {
        if let Some(key) = &self.key {
            request.headers_mut().insert(&IDEMPOTENCY_KEY, key.clone());
        }
    }
}

/// Returns the request that generated code has built.
pub(crate) fn request(request: RequestBuilder) -> Result<Request, Error> {
    request.build().map_err(Error::from_transport)
}

/// Builds a request with the headers of the call, the client and the options.
fn built(build: Build<'_>, settings: &Settings, carries_key: bool) -> Result<Request, Error> {
    let mut request = build()?;
    if let Some(key) = settings.key.header().filter(|_| carries_key) {
        request.headers_mut().insert(AUTHORIZATION, key.clone());
    }
    for (name, value) in &settings.headers {
        request.headers_mut().insert(name, value.clone());
    }
    for (name, value) in &settings.options.headers {
        if *name == PREFER {
            request.headers_mut().append(name, value.clone());
        } else {
            request.headers_mut().insert(name, value.clone());
        }
    }
    Ok(request)
}

/// Returns the time that the request asks the server to hold the response (RFC 7240 section 4.3), in any form that section 2 allows.
fn requested_hold(request: &Request) -> Duration {
    let values = request.headers().get_all(&PREFER).iter().filter_map(|value| value.to_str().ok());
    let seconds = values.flat_map(|value| value.split([',', ';'])).find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        let digits = value.trim().trim_matches('"');
        let is_wait = name.trim().eq_ignore_ascii_case("wait") && digits.bytes().all(|byte| byte.is_ascii_digit());
        // Ignore a value that is not a number. Treat a number that overflows as the maximum.
        (is_wait && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    });
    Duration::from_secs(seconds.unwrap_or(0)).min(LONGEST_HOLD)
}

#[cfg(test)]
mod tests {
    use reqwest::Method;

    use super::{Duration, PREFER, Request, requested_hold};

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
        assert_eq!(hold("wait=99999999999999999999999"), Duration::from_secs(60));
    }
}
