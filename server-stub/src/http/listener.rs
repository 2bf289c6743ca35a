//! Accepts connections and serves them until it is stopped. `outer_layer` handles each request.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::forwarded;
use super::outer_layer::OuterLayer;
use super::route::Deadlines;
use super::slow_readers::WatchedStream;
use crate::app::{Peer, PerSubject, Use};
use crate::domain::clock::Clock;
use crate::domain::error_chain::ErrorChain;
use crate::domain::public_url::PublicUrl;
use crate::domain::randomness::Randomness;
use crate::metrics::Metrics;

/// Maximum number of open connections. Further connections wait to be accepted.
pub const MAX_CONNECTIONS: u32 = 4096;
/// Default maximum number of open connections of one client.
pub const CONNECTIONS_PER_CLIENT: u32 = 256;
/// Maximum size in bytes of a header block that is read. A larger one closes the connection. Above 16 KiB, the response is a
/// problem.
const MAX_READ_HEADER_BYTES: usize = 64 * 1024;
/// Size of the send buffer of a connection, without the kernel's own share.
const SEND_BUFFER_BYTES: usize = 64 * 1024;
/// Pause after an error due to a busy machine, such as too few file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A bound socket and the handler of its requests.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    pipeline: OuterLayer,
    deadlines: Deadlines,
    open: PerSubject,
}

impl Listener {
    /// Returns a listener on a bound socket. It accepts connections after [`Listener::run`].
    pub fn new(socket: TcpListener, router: Router, clock: Arc<dyn Clock>, randomness: Arc<dyn Randomness>) -> Self {
        let (metrics, public_url) = (Arc::default(), PublicUrl::default());
        let (site_url, trusted_proxies) = (None, Arc::default());
        let pipeline = OuterLayer { router, clock, randomness, metrics, public_url, site_url, trusted_proxies };
        Self { socket, pipeline, deadlines: Deadlines::default(), open: PerSubject::new(CONNECTIONS_PER_CLIENT) }
    }

    /// Closes a connection whose headers arrive late, or whose client does not read responses.
    #[must_use]
    pub fn with_deadlines(self, deadlines: Deadlines) -> Self {
        Self { deadlines, ..self }
    }

    /// Closes connections of a client beyond `limit` at once. A trusted proxy has no limit.
    #[must_use]
    pub fn with_connections_per_client(self, limit: u32) -> Self {
        Self { open: PerSubject::new(limit), ..self }
    }

    /// Trusts the `X-Forwarded-For` header of these proxies.
    #[must_use]
    pub fn with_trusted_proxies(mut self, proxies: &[IpNet]) -> Self {
        self.pipeline.trusted_proxies = proxies.into();
        self
    }

    /// Records requests in `metrics`.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        self.pipeline.metrics = metrics;
        self
    }

    /// Sets the public URL of the server, and that of the hosted site if it has a separate host.
    #[must_use]
    pub fn with_public_urls(mut self, public_url: PublicUrl, site_url: Option<PublicUrl>) -> Self {
        self.pipeline.public_url = public_url;
        self.pipeline.site_url = site_url;
        self
    }

    /// Serves until `stop` is cancelled. Open requests continue on `tracker`. From then until `closing` is cancelled, new
    /// requests only learn that the server is not ready, so that a load balancer notices it before the socket closes.
    pub async fn run(self, stop: CancellationToken, closing: CancellationToken, tracker: TaskTracker) {
        let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
        // Connections accepted after `stop`. Dropping the set on return closes them.
        let mut late = JoinSet::new();
        loop {
            while late.try_join_next().is_some() {}
            let slot = Arc::clone(&slots).acquire_owned();
            let accepted = tokio::select! {
                accepted = async { (slot.await, self.socket.accept().await) } => accepted,
                () = closing.cancelled() => return,
            };
            match accepted {
                (Ok(slot), Ok((stream, peer))) => {
                    let Some(open) = self.admit(peer.ip()) else { continue };
                    let is_late = stop.is_cancelled();
                    let stop = if is_late { closing.clone() } else { stop.clone() };
                    let connection =
                        Connection { pipeline: self.pipeline.clone(), peer, is_late, deadlines: self.deadlines };
                    let served = async move {
                        connection.serve(stream, stop).await;
                        drop((slot, open));
                    };
                    if is_late {
                        late.spawn(served);
                    } else {
                        tracker.spawn(served);
                    }
                }
                (_, Err(error)) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                (Err(_), Ok(_)) => return,
            }
        }
    }

    /// Counts a connection from `peer` until the result is dropped. Returns `None` if the client has too many.
    fn admit(&self, peer: IpAddr) -> Option<Use> {
        // One proxy has the connections of many clients.
        let is_proxy = forwarded::is_trusted(peer, &self.pipeline.trusted_proxies);
        let open = self.open.begin(if is_proxy { Vec::new() } else { Peer(peer).networks() });
        if open.is_none() {
            self.pipeline.metrics.connection_refused();
            tracing::debug!("closed a connection of a client that has too many");
        }
        open
    }
}

struct Connection {
    pipeline: OuterLayer,
    peer: SocketAddr,
    is_late: bool,
    deadlines: Deadlines,
}

impl Connection {
    async fn serve(self, stream: TcpStream, stop: CancellationToken) {
        let Self { pipeline, peer, is_late, deadlines } = self;
        // Without it, a small response may wait until the previous one is acknowledged.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY was not set");
        }
        // A client that reads makes a full buffer writable only when a third of it is free (Linux). So it is small.
        if let Err(error) = set_socket_send_buffer_size(&stream, SEND_BUFFER_BYTES) {
            tracing::debug!(%error, "the size of the send buffer was not set");
        }
        let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
            pipeline.clone().handle(peer.ip(), is_late, request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(deadlines.headers)
            .max_header_size(MAX_READ_HEADER_BYTES)
            .keep_alive(!is_late)
            .serve_connection(TokioIo::new(WatchedStream::new(stream, deadlines.reading)), service);
        tokio::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = stop.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(error = %ErrorChain(&error), "a connection ended badly");
        }
    }
}
