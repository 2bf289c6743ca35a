//! The customer systems that articles are pushed to. One recognises repeated ids; the other keeps every request. Each records a request
//! before it responds, and responds slowly.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Maximum response delay in milliseconds: the delay grows with every request, then starts again from the beginning.
const ANSWERED_AFTER: u64 = 80;

/// A request as received.
#[derive(Debug, Clone)]
pub(super) struct Pushed {
    pub(super) id: String,
    pub(super) idempotency_key: String,
    pub(super) timestamp: String,
    pub(super) signature: String,
    pub(super) body: Bytes,
}

/// Kind of customer system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    /// Responds to a repeated id, but does not store the request again.
    Idempotent,
    /// Stores every request.
    Naive,
}

impl System {
    pub(super) const ALL: [Self; 2] = [Self::Idempotent, Self::Naive];

    /// Returns the index of the system's path and of its requests.
    const fn index(self) -> usize {
        self as usize
    }
}

/// Both systems; they end when this is dropped.
#[derive(Debug)]
pub(super) struct Cms {
    address: SocketAddr,
    book: Arc<Book>,
    _listening: JoinSet<()>,
}

#[derive(Debug, Default)]
struct Book {
    received: Mutex<[Vec<Pushed>; 2]>,
    /// Contents of the idempotent system, by id.
    kept: Mutex<BTreeMap<String, Bytes>>,
    /// Number of requests that have no response yet.
    open: AtomicUsize,
    /// Number of requests received.
    count: watch::Sender<u64>,
}

impl Cms {
    /// Listens on a free port.
    pub(super) async fn start() -> Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the systems")?;
        let address = socket.local_addr()?;
        let book = Arc::<Book>::default();
        let mut listening = JoinSet::new();
        listening.spawn(listen(socket, Arc::clone(&book)));
        Ok(Self { address, book, _listening: listening })
    }

    /// Returns the URL at which a system accepts articles.
    pub(super) fn url(&self, system: System) -> String {
        format!("http://{}/{}", self.address, system.index())
    }

    /// Watches the number of received requests.
    pub(super) fn arrivals(&self) -> watch::Receiver<u64> {
        self.book.count.subscribe()
    }

    /// Returns the number of requests in progress.
    pub(super) fn open(&self) -> usize {
        self.book.open.load(Ordering::SeqCst)
    }

    /// Returns all requests to a system so far.
    pub(super) fn received(&self, system: System) -> Vec<Pushed> {
        self.book.received.lock().unwrap_or_else(PoisonError::into_inner)[system.index()].clone()
    }

    /// Returns the contents of the idempotent system.
    pub(super) fn kept(&self) -> BTreeMap<String, Bytes> {
        self.book.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn listen(socket: TcpListener, book: Arc<Book>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = socket.accept().await {
        connections.spawn(serve(stream, Arc::clone(&book)));
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, book: Arc<Book>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&book)));
    // A killed server breaks its connections; the scenario does that on purpose.
    drop(http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await);
}

/// Counts a request as open until its response is sent or its connection breaks.
struct Open(Arc<Book>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Responds to a request. An error closes the connection without a response.
async fn answer(request: Request<Incoming>, book: Arc<Book>) -> Result<Response<Full<Bytes>>> {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let system = System::ALL.into_iter().find(|system| system.index().to_string() == path);
    let system = system.context("there is no such system")?;
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let [id, idempotency_key, timestamp, signature] =
        ["webhook-id", "idempotency-key", "webhook-timestamp", "webhook-signature"].map(header);
    // A request that breaks off in the middle was not received.
    let body = request.into_body().collect().await?.to_bytes();
    let article: Value = serde_json::from_slice(&body)?;
    book.open.fetch_add(1, Ordering::SeqCst);
    let _open = Open(Arc::clone(&book));
    if system == System::Idempotent {
        book.kept.lock().unwrap_or_else(PoisonError::into_inner).entry(id.clone()).or_insert_with(|| body.clone());
    }
    let pushed = Pushed { id, idempotency_key, timestamp, signature, body };
    book.received.lock().unwrap_or_else(PoisonError::into_inner)[system.index()].push(pushed);
    let mut number = 0;
    book.count.send_modify(|count| {
        *count += 1;
        number = *count;
    });
    tokio::time::sleep(Duration::from_millis(number * 7 % ANSWERED_AFTER)).await;
    let url = address_of(system, article["slug"].as_str().unwrap_or_default());
    Ok(Response::new(Full::new(Bytes::from(json!({ "url": url }).to_string()))))
}

/// Returns the public URL that a system reports for an article.
pub(super) fn address_of(system: System, slug: &str) -> String {
    format!("https://cms-{}.example/{slug}", system.index())
}
