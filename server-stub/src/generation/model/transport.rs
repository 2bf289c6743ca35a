//! HTTP to an endpoint: bounded time and size, no redirects, no unrequested proxies, and retries of temporary failures. `endpoint` builds the requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Method, redirect};
use serde_json::Value;
use tokio::time::sleep;

use crate::domain::error_chain::ErrorChain;
use crate::domain::randomness::Randomness;

use super::base_url::BaseUrl;
use super::failure::ModelFailure;
use super::proxy::ModelProxy;
use super::response::{Answer, NoAnswer};
use super::settings::{ModelSettings, SetUpError};

/// Time limit of connecting, including TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of times that a request is sent after temporary failures.
const MAX_TRIES: u32 = 3;
/// Maximum pause that an endpoint may ask for. Longer pauses are left to the job's next attempt.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(1);
const USER_AGENT: &str = concat!("contentgen-writer/", env!("CARGO_PKG_VERSION"));

/// HTTP client for one endpoint.
pub(super) struct Transport {
    client: Client,
    base_url: BaseUrl,
    headers: HeaderMap,
    first_pause: Duration,
    randomness: Arc<dyn Randomness>,
}

impl Transport {
    pub(super) fn new(settings: &ModelSettings, randomness: Arc<dyn Randomness>) -> Result<Self, SetUpError> {
        // Another part of the process may have installed a TLS provider already. It works as well.
        drop(rustls::crypto::ring::default_provider().install_default());
        let proxy = settings.proxy.as_ref().map(ModelProxy::for_all).transpose();
        let proxy = proxy.map_err(|error| SetUpError::client(&error))?;
        let builder = || {
            let builder = Client::builder()
                .user_agent(USER_AGENT)
                .redirect(redirect::Policy::none())
                .connect_timeout(CONNECT_TIMEOUT.min(settings.timeout))
                .read_timeout(settings.timeout)
                .timeout(ModelSettings::MAX_DURATION);
            match proxy.clone() {
                Some(proxy) => builder.proxy(proxy),
                None => builder.no_proxy(),
            }
        };
        let client = builder().build().or_else(|error| {
            // Without root certificates, a model on the same machine is still reachable.
            let error = ErrorChain(&error);
            tracing::warn!(%error, "no root certificates were found, so https requests to the model will fail; install the system's root certificates");
            builder().tls_certs_only([]).build()
        });
        Ok(Self {
            client: client.map_err(|error| SetUpError::client(&error))?,
            base_url: settings.base_url.clone(),
            headers: settings.provider.headers(&settings.base_url, settings.key.as_ref()),
            first_pause: settings.first_pause,
            randomness,
        })
    }

    /// Sends one GET request, without retries.
    pub(super) async fn get(&self, call: &str) -> Result<Answer, NoAnswer> {
        let request = self.client.request(Method::GET, self.base_url.call(call)).headers(self.headers.clone());
        Answer::read(request.send().await?).await
    }

    /// Sends `body`. Retries temporary failures after a pause. Calls `tried` with each failed attempt that is followed by another
    /// one.
    pub(super) async fn post(
        &self,
        call: &str,
        body: &Value,
        mut tried: impl FnMut(&Result<Answer, NoAnswer>),
    ) -> Result<Answer, NoAnswer> {
        let url = self.base_url.call(call);
        let bytes = body.to_string();
        let mut tries = 1;
        loop {
            let request = self.client.post(url.clone()).headers(self.headers.clone());
            let request = request.header(CONTENT_TYPE, "application/json").body(bytes.clone());
            let answer = match request.send().await {
                Ok(response) => Answer::read(response).await,
                Err(error) => Err(error.into()),
            };
            let pause = match &answer {
                Ok(answer) if ModelFailure::of_answer(answer).is_some_and(ModelFailure::is_for_the_moment) => {
                    match answer.retry_after {
                        Some(asked) if asked > MAX_RETRY_AFTER => None,
                        // `Retry-After: 0` still gets a pause with jitter.
                        asked => Some(self.pause(tries).max(asked.unwrap_or_default())),
                    }
                }
                Err(NoAnswer::NotConnected | NoAnswer::BrokenOff) => Some(self.pause(tries)),
                // A retry after a timeout would likely time out again, and the provider may have charged for the request.
                Ok(_) | Err(NoAnswer::TimedOut | NoAnswer::TooLarge) => None,
            };
            match pause {
                Some(pause) if tries < MAX_TRIES => {
                    tried(&answer);
                    tracing::info!(
                        status = answer.as_ref().ok().map(|answer| answer.status.as_u16()),
                        error = answer.as_ref().err().map(ToString::to_string),
                        pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                        "the language model is asked again after a pause"
                    );
                    sleep(pause).await;
                    tries += 1;
                }
                _ => return answer,
            }
        }
    }

    /// Returns the pause after this many attempts: doubling, plus up to half of it at random, so that clients that failed together
    /// do not retry together.
    fn pause(&self, tries: u32) -> Duration {
        let pause = self.first_pause.saturating_mul(1 << (tries - 1).min(8));
        let mut byte = [0];
        self.randomness.fill(&mut byte);
        pause + pause * u32::from(byte[0]) / 510
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Transport").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}
