//! A fake server without a network, for tests with a paused clock. During a request on a real network, such a clock would run ahead.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{Channel, Exchange, Request, TransportFault, Waits};
use contentgen_conformance::runner::{Account, Target};
use futures::future::{BoxFuture, FutureExt, ready};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Seen, read_request};

/// Base URL of the fake. No server listens there.
pub(crate) const BASE_URL: &str = "http://127.0.0.1:1";

type Answer = Box<dyn Fn(&Seen) -> Vec<u8> + Send + Sync>;
type Delay = Box<dyn Fn(&Seen) -> Duration + Send + Sync>;

/// Responds like a [`super::Fake`].
pub(crate) struct InMemory {
    answer: Answer,
    delay: Delay,
    pub(crate) seen: Mutex<Vec<Seen>>,
}

impl fmt::Debug for InMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InMemory")
    }
}

impl InMemory {
    /// Responds to every request with the bytes from `answer`, after the time from `delay`. The bytes are a whole HTTP response, or empty
    /// for a server that hangs up.
    pub(crate) fn new(
        answer: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static,
        delay: impl Fn(&Seen) -> Duration + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { answer: Box::new(answer), delay: Box::new(delay), seen: Mutex::default() })
    }

    /// Returns the fake as the target of a run.
    pub(crate) fn target(self: &Arc<Self>, account: Account) -> Target {
        let mut target = Target::new(BASE_URL, account);
        let server: Arc<Self> = Arc::clone(self);
        target.in_process = Some(server);
        target
    }

    async fn reply(&self, seen: Seen) -> Vec<u8> {
        tokio::time::sleep((self.delay)(&seen)).await;
        let bytes = (self.answer)(&seen);
        self.seen.lock().unwrap().push(seen);
        bytes
    }
}

impl Channel for InMemory {
    fn exchange<'a>(&'a self, request: Request, _: &'a Waits) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        async move {
            let seen = Seen {
                method: request.method.clone(),
                path: request.path.clone(),
                headers: request.headers.clone(),
                body: request.body.as_deref().unwrap_or_default().to_vec(),
            };
            let bytes = self.reply(seen).await;
            let broken = || TransportFault::new("broken HTTP (connection closed before message completed)");
            let (status, headers, body) = parse(&bytes).ok_or_else(broken)?;
            Ok(Exchange::new(request, status, headers, body, Duration::ZERO))
        }
        .boxed()
    }

    fn raw(&self, bytes: Vec<u8>, _: usize, _: Option<Duration>) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        match read_request(bytes.as_slice()) {
            Some(seen) => self.reply(seen).map(Ok).boxed(),
            None => ready(Ok(Vec::new())).boxed(),
        }
    }
}

/// Returns the status, headers and body of a whole response.
fn parse(bytes: &[u8]) -> Option<(u16, HeaderMap, Bytes)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let (first, lines) = head.split_once("\r\n")?;
    let status = first.split(' ').nth(1)?.parse().ok()?;
    let mut headers = HeaderMap::new();
    for line in lines.split("\r\n") {
        let (name, value) = line.split_once(": ")?;
        headers.append(HeaderName::try_from(name).ok()?, HeaderValue::from_str(value).ok()?);
    }
    Some((status, headers, Bytes::copy_from_slice(&bytes[end + 4..])))
}
