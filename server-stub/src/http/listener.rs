//! Accepts connections and serves them until it is told to stop. What is answered lives in `envelope` and behind it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::envelope::Envelope;
use crate::domain::clock::Clock;

/// Open connections at a time; more wait to be accepted.
const MAX_CONNECTIONS: usize = 4096;
/// Within this time a request's headers have to be there; an idle connection is closed after it too.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// Beyond this the connection is refused without looking further; from 16 KiB on the answer is a problem.
const HARD_HEADER_LIMIT: usize = 64 * 1024;
/// Pause after an error that a busy machine causes, such as no file descriptors being left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A bound socket with what is served on it.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    envelope: Envelope,
}

impl Listener {
    /// What is served on a bound socket. Nothing is accepted before [`Listener::run`].
    pub fn new(socket: TcpListener, router: Router, clock: Arc<dyn Clock>) -> Self {
        Self { socket, envelope: Envelope { router, clock } }
    }

    /// Serves until `stop` is cancelled, then lets open requests finish. Connections run on `tracker`.
    pub async fn run(self, stop: CancellationToken, tracker: TaskTracker) {
        let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let slot = Arc::clone(&slots).acquire_owned();
            let accepted = tokio::select! {
                accepted = async { (slot.await, self.socket.accept().await) } => accepted,
                () = stop.cancelled() => return,
            };
            match accepted {
                (Ok(slot), Ok((stream, peer))) => {
                    let connection = serve(self.envelope.clone(), stream, peer, stop.clone());
                    tracker.spawn(async move {
                        connection.await;
                        drop(slot);
                    });
                }
                (_, Err(error)) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                (Err(_), Ok(_)) => return,
            }
        }
    }
}

async fn serve(envelope: Envelope, stream: TcpStream, peer: SocketAddr, stop: CancellationToken) {
    // Without it small answers may wait for the acknowledgement of the one before.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY was not set");
    }
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        envelope.clone().answer(peer.ip(), request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_DEADLINE)
        .max_header_size(HARD_HEADER_LIMIT)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}
