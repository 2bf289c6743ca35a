//! A receiver that stores each request unchanged, without verifying it.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Router, serve};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// A received request.
#[derive(Debug)]
pub(super) struct Hook {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

/// Receiver that runs until it is dropped.
pub(super) struct Receiver {
    pub(super) url: String,
    pub(super) arrived: mpsc::UnboundedReceiver<Hook>,
    _serving: JoinSet<std::io::Result<()>>,
}

impl Receiver {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}/hooks", listener.local_addr().expect("it is bound"));
        let (sender, arrived) = mpsc::unbounded_channel();
        let router = Router::new().fallback(take).with_state(sender);
        let mut serving = JoinSet::new();
        serving.spawn(async move { serve(listener, router).await });
        Self { url, arrived, _serving: serving }
    }
}

async fn take(State(sender): State<mpsc::UnboundedSender<Hook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    // Ignored: the test may have ended already.
    let _told = sender.send(Hook { headers, body });
    StatusCode::NO_CONTENT
}
