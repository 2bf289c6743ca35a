//! What a call sends, the same in each attempt. It is put together anew where an attempt is repeated: a copy that is kept for
//! that case would cost each call that succeeds.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Request, RequestBuilder, Url};

use crate::config::ConfigError;
use crate::custom_request;
use crate::error::Error;
use crate::generated::{ACCEPT_IDEMPOTENCY_KEY, REPEATABLE, WITHOUT_KEY};
use crate::idempotency::{self, IDEMPOTENCY_KEY};
use crate::settings::Settings;

static PREFER: HeaderName = HeaderName::from_static("prefer");
/// The longest time that a server holds a response for `Prefer: wait=N`.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// Generated code that puts the request of a call together, which is the same each time.
pub(crate) type Build<'a> = &'a (dyn Fn() -> Result<Request, Error> + Sync);

/// What a server does that gets the same request twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenRepeated {
    /// The same as if it came once.
    SameEffect,
    /// The same as if it came once, if the server keeps idempotency keys.
    SameEffectByKey,
    /// Everything again.
    AnotherEffect,
}

/// How the requests of a call are made, and what the first one said of all of them.
pub(crate) struct RequestTemplate<'a> {
    build: Build<'a>,
    /// Whether the requests carry the client's key, if it has one.
    carries_key: bool,
    /// Has the headers that the client and the options add.
    pub(crate) settings: &'a Settings,
    /// One key per logical call, the caller's or one that is made before the first attempt: a repeated attempt repeats it.
    pub(crate) key: Option<HeaderValue>,
    /// Whether the document says that the operation keeps keys: what one response shows of that counts for the others. Of a path that no
    /// operation has it shows nothing, and there what operations have shown says nothing.
    pub(crate) keeps_keys_by_document: bool,
    /// What sending the request twice does.
    pub(crate) when_repeated: WhenRepeated,
    /// How long the request asks the server to hold the response.
    pub(crate) hold: Duration,
}

impl<'a> RequestTemplate<'a> {
    /// The template of a call and its first request.
    pub(crate) fn new(
        build: Build<'a>,
        operation: &'static str,
        settings: &'a Settings,
    ) -> Result<(Self, Request), Error> {
        let carries_key = !WITHOUT_KEY.contains(&operation);
        if carries_key && operation != custom_request::OPERATION && settings.key.header().is_none() {
            return Err(ConfigError::MissingKey.into());
        }
        let mut request = built(build, settings, carries_key)?;
        let keeps_keys_by_document = ACCEPT_IDEMPOTENCY_KEY.contains(&operation);
        let key = match request.headers().get(&IDEMPOTENCY_KEY) {
            Some(own) => Some(own.clone()),
            None if keeps_keys_by_document => Some(idempotency::fresh()?),
            None => None,
        };
        let when_repeated = if request.method().is_idempotent() || REPEATABLE.contains(&operation) {
            WhenRepeated::SameEffect
        } else if key.is_some() {
            WhenRepeated::SameEffectByKey
        } else {
            WhenRepeated::AnotherEffect
        };
        let hold = requested_hold(&request);
        let template = Self { build, carries_key, settings, key, keeps_keys_by_document, when_repeated, hold };
        template.complete(&mut request);
        Ok((template, request))
    }

    /// Whether a repeated key has the effect of one request, as far as the caller says so or the server has shown.
    pub(crate) fn server_keeps_keys(&self) -> bool {
        let settings = self.settings;
        settings.options.server_keeps_idempotency_keys || (self.keeps_keys_by_document && settings.shared.keeps_keys())
    }

    /// Whether redirects may be followed, which only an application's own HTTP client does.
    pub(crate) fn may_be_redirected(&self) -> bool {
        self.settings.is_foreign_client
    }

    /// Whether a response of this address is that of another request, which a redirect has led to.
    pub(crate) fn was_redirected(&self, responding: &Url) -> bool {
        self.again().map_or(true, |request| request.url() != responding)
    }

    /// The request once more.
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

/// The request that generated code has put together.
pub(crate) fn request(request: RequestBuilder) -> Result<Request, Error> {
    request.build().map_err(Error::from_transport)
}

/// A request as the call, the client and the options want it.
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

/// How long the request asks the server to hold the response (RFC 7240 section 4.3), in any of the forms that section 2 allows.
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
