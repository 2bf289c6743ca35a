//! In JavaScript, global functions replace the operating system: `fetch`, `setTimeout`, `crypto` and the clocks.

use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_core::Stream;
use reqwest::{Response, Url};
use send_wrapper::SendWrapper;
pub(crate) use web_time::Instant;

use super::Connecting;
use crate::config::ConfigError;

/// Maximum duration of a timer. `setTimeout` can wait for 2³¹ − 1 milliseconds and does not wait at all for longer ones.
pub(super) const FOREVER: Duration = Duration::from_secs(24 * 24 * 60 * 60);

/// Returns the current time.
pub(crate) fn now() -> SystemTime {
    let time = web_time::SystemTime::now().duration_since(web_time::SystemTime::UNIX_EPOCH);
    SystemTime::UNIX_EPOCH + time.unwrap_or_default()
}

/// Returns 128 random bits of JavaScript's `crypto.getRandomValues`.
pub(crate) fn random_bits() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(u128::from_ne_bytes(bytes))
}

/// Builds the connections. `fetch` makes them and decides about TLS, proxies and redirects.
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there may be no TLS")]
pub(crate) fn connections(_base: &Url, _connecting: &Connecting) -> Result<reqwest::ClientBuilder, ConfigError> {
    Ok(reqwest::Client::builder())
}

/// Returns true if no connection was made. `fetch` does not report that, so this is always false.
pub(crate) const fn fails_to_connect(_error: &reqwest::Error) -> bool {
    false
}

/// The body of a response, as a stream of chunks.
pub(crate) struct Body(Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>>>>);

/// Returns the body of a response, to be read by its `chunk`.
pub(crate) fn body_of(response: Response) -> Body {
    Body(Box::pin(response.bytes_stream()))
}

impl Body {
    /// Returns the next chunk.
    pub(crate) async fn chunk(&mut self) -> reqwest::Result<Option<Bytes>> {
        std::future::poll_fn(|context| self.0.as_mut().poll_next(context)).await.transpose()
    }
}

/// Wraps a JavaScript future, which belongs to its thread. The wrapper is `Send`, and panics if another thread polls or drops it.
pub(crate) fn on_this_thread<F: Future>(future: F) -> SendWrapper<F> {
    SendWrapper::new(future)
}

/// Error of a time limit that passed.
#[derive(Debug)]
pub(crate) struct Elapsed;

/// Waits for a duration of at most 24 days.
pub(crate) async fn sleep(time: Duration) {
    // Rounded up, so that the moment has passed afterwards.
    let milliseconds =
        u32::try_from(time.min(FOREVER).as_micros().div_ceil(1_000)).expect("24 days are less than 2³² ms");
    on_this_thread(gloo_timers::future::TimeoutFuture::new(milliseconds)).await;
}

/// Waits for a moment.
pub(crate) async fn sleep_until(moment: Instant) {
    sleep(moment.saturating_duration_since(Instant::now())).await;
}

/// Waits for a future, until a moment at most.
pub(crate) async fn timeout_at<F: Future>(moment: Instant, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    let mut timer = pin!(sleep_until(moment));
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Ok(output)),
        Poll::Pending => timer.as_mut().poll(context).map(|()| Err(Elapsed)),
    })
    .await
}
