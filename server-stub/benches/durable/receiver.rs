//! A receiver on loopback with separate threads. It responds at once or never, and reports each request.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

/// Header that contains the event id.
const ID_HEADER: &str = "webhook-id";

/// A request, recorded when its headers have arrived.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// Id of the event, empty if the request has none.
    pub(crate) event_id: String,
    pub(crate) at: Instant,
}

/// Listens until it is dropped.
#[derive(Debug)]
pub(crate) struct Receiver {
    address: SocketAddr,
    arrivals: mpsc::UnboundedReceiver<Arrival>,
    runtime: Option<Runtime>,
}

impl Receiver {
    /// Starts listening.
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?.into_std()?;
        let address = listener.local_addr()?;
        let (told, arrivals) = mpsc::unbounded_channel();
        let router = Router::new()
            .route("/prompt", post(prompt))
            .route("/silent", post(async || std::future::pending::<StatusCode>().await))
            .with_state(told);
        runtime.spawn(async move { axum::serve(TcpListener::from_std(listener)?, router).await });
        Ok(Self { address, arrivals, runtime: Some(runtime) })
    }

    /// Returns the URL at which every request gets an immediate response.
    pub(crate) fn prompt(&self) -> String {
        format!("http://{}/prompt", self.address)
    }

    /// Returns the URL at which no request gets a response.
    pub(crate) fn silent(&self) -> String {
        format!("http://{}/silent", self.address)
    }

    /// Waits for `count` requests to the prompt address.
    pub(crate) async fn wait_for(&mut self, count: usize) -> anyhow::Result<Vec<Arrival>> {
        let mut arrived = Vec::with_capacity(count);
        while arrived.len() < count {
            if self.arrivals.recv_many(&mut arrived, count).await == 0 {
                anyhow::bail!("the receiver stopped");
            }
        }
        Ok(arrived)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Silent requests never end, so do not wait for them.
            runtime.shutdown_background();
        }
    }
}

async fn prompt(
    State(told): State<mpsc::UnboundedSender<Arrival>>,
    headers: HeaderMap,
    _body: bytes::Bytes,
) -> StatusCode {
    let event_id = headers.get(ID_HEADER).and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
    // The channel is closed once the figures are complete.
    drop(told.send(Arrival { event_id, at: Instant::now() }));
    StatusCode::OK
}
