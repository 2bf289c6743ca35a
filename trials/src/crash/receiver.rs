//! The receiver of the hooks: real sockets, and endpoints that accept, that fail at first or that hang up at first. It records every
//! request before it responds. The oracle judges the requests.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::evidence::{Received, seconds_now};

/// Time that the sender waits for the endpoint that hangs up.
const HANGING: Duration = Duration::from_millis(100);

/// Maximum time until the connections of a terminated sender have ended.
const DISCONNECTED_WITHIN: Duration = Duration::from_mins(1);

/// Manner in which an endpoint responds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Always 200.
    Steady,
    /// 500 to the first two requests of an event, then 200.
    FailsAtFirst,
    /// No response to the first request of an event, then 200.
    HangsUpAtFirst,
}

impl Manner {
    /// One endpoint of each manner; the index in the list is the endpoint's path.
    pub(super) const ALL: [Self; 3] = [Self::Steady, Self::FailsAtFirst, Self::HangsUpAtFirst];

    /// Returns the response to request number `number` of an event, from 1; `None` hangs up.
    const fn answer(self, number: usize) -> Option<u16> {
        match self {
            Self::FailsAtFirst if number <= 2 => Some(500),
            Self::HangsUpAtFirst if number <= 1 => None,
            _ => Some(200),
        }
    }
}

/// The running receiver; its tasks end when it is dropped.
#[derive(Debug)]
pub(super) struct Receiver {
    address: SocketAddr,
    book: Arc<Book>,
    _listening: JoinSet<()>,
}

#[derive(Debug)]
struct Book {
    pages: Mutex<Pages>,
    /// Number of accepted connections that have not ended.
    connected: watch::Sender<usize>,
}

#[derive(Debug)]
struct Pages {
    received: Vec<Received>,
    counts: HashMap<(usize, String), usize>,
    log: File,
}

impl Receiver {
    /// Listens on a free port and writes to the file at `log`.
    pub(super) async fn start(log: &Path) -> Result<Self> {
        let log = File::create(log).context("the receiver's log cannot be written")?;
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the receiver")?;
        let address = socket.local_addr()?;
        let pages = Pages { received: Vec::new(), counts: HashMap::new(), log };
        let book = Arc::new(Book { pages: Mutex::new(pages), connected: watch::Sender::default() });
        let mut listening = JoinSet::new();
        listening.spawn(listen(socket, Arc::clone(&book)));
        Ok(Self { address, book, _listening: listening })
    }

    /// Returns the URL of endpoint number `index`.
    pub(super) fn url(&self, index: usize) -> String {
        format!("http://{}/{index}", self.address)
    }

    /// Waits until all connections have ended. Once all senders have ended, nothing is recorded after that.
    pub(super) async fn wait_until_disconnected(&self) -> Result<()> {
        let ending = async {
            // Connections are accepted in the order in which they were made: when this one has ended, all earlier ones are counted.
            let mut last = TcpStream::connect(self.address).await?;
            last.shutdown().await?;
            last.read_to_end(&mut Vec::new()).await?;
            self.book.connected.subscribe().wait_for(|connected| *connected == 0).await?;
            Ok(())
        };
        timeout(DISCONNECTED_WITHIN, ending).await.context("a sender that has ended is still connected")?
    }

    /// Removes received requests whose record was lost.
    pub(super) fn forget(&self, is_lost: impl Fn(&Received) -> bool) {
        let mut pages = self.book.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.received.retain(|request| !is_lost(request));
    }

    /// Returns all requests so far.
    pub(super) fn received(&self) -> Vec<Received> {
        self.book.pages.lock().unwrap_or_else(PoisonError::into_inner).received.clone()
    }
}

async fn listen(socket: TcpListener, book: Arc<Book>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = socket.accept().await {
        connections.spawn(serve(stream, Connected::count(Arc::clone(&book))));
        while connections.try_join_next().is_some() {}
    }
}

/// An open connection; counted until this is dropped.
struct Connected(Arc<Book>);

impl Connected {
    fn count(book: Arc<Book>) -> Self {
        book.connected.send_modify(|connected| *connected += 1);
        Self(book)
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connected.send_modify(|connected| *connected -= 1);
    }
}

async fn serve(stream: TcpStream, connected: Connected) {
    let service = service_fn(|request| answer(request, Arc::clone(&connected.0)));
    // A killed sender breaks its connections; the scenario does that on purpose.
    drop(http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await);
}

/// Responds to a request. An error closes the connection without a response.
async fn answer(request: Request<Incoming>, book: Arc<Book>) -> Result<Response<Full<Bytes>>> {
    let endpoint: usize = request.uri().path().trim_start_matches('/').parse()?;
    let manner = Manner::ALL.get(endpoint).copied().context("there is no such endpoint")?;
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let (webhook_id, timestamp, signature) =
        (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
    // A request that breaks off in the middle was not received.
    let body = request.into_body().collect().await?.to_bytes();
    let status = book.note(endpoint, manner, (webhook_id, timestamp, signature), &body)?;
    let Some(status) = status else {
        tokio::time::sleep(HANGING).await;
        anyhow::bail!("this endpoint hangs up");
    };
    let mut response = Response::new(Full::new(Bytes::new()));
    *response.status_mut() = StatusCode::from_u16(status)?;
    Ok(response)
}

impl Book {
    fn note(
        &self,
        endpoint: usize,
        manner: Manner,
        (webhook_id, timestamp, signature): (String, String, String),
        body: &Bytes,
    ) -> Result<Option<u16>> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let count = pages.counts.entry((endpoint, webhook_id.clone())).or_default();
        *count += 1;
        let status = manner.answer(*count);
        let seconds = seconds_now()?;
        let line = json!({
            "endpoint": endpoint, "webhook_id": webhook_id, "timestamp": timestamp, "signature": signature,
            "received": seconds, "status": status, "body": String::from_utf8_lossy(body),
        });
        writeln!(pages.log, "{line}")?;
        pages.log.flush()?;
        let arrived = Instant::now();
        let body = body.clone();
        pages.received.push(Received { endpoint, webhook_id, timestamp, signature, body, seconds, arrived, status });
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_waits_for_every_sender_that_is_still_connected() {
        let folder = tempfile::tempdir().unwrap();
        let receiver = Receiver::start(&folder.path().join("received.jsonl")).await.unwrap();
        receiver.wait_until_disconnected().await.unwrap();
        let mut senders = Vec::new();
        for _ in 0..3 {
            senders.push(TcpStream::connect(receiver.address).await.unwrap());
        }
        let mut waiting = std::pin::pin!(receiver.wait_until_disconnected());
        while let Some(sender) = senders.pop() {
            assert!(timeout(Duration::from_millis(50), &mut waiting).await.is_err(), "{} are connected", senders.len());
            drop(sender);
        }
        waiting.await.unwrap();
    }
}
