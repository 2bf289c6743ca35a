//! The sockets of a server on this machine. `service` decides the responses.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::service::{Mode, Question, Service};

/// A running server; its tasks end when it is dropped.
#[derive(Debug)]
pub(super) struct Server {
    address: SocketAddr,
    _listening: JoinSet<()>,
}

impl Server {
    /// Listens on a free port.
    pub(super) async fn start(service: Arc<Service>) -> Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the server")?;
        let address = socket.local_addr()?;
        let mut listening = JoinSet::new();
        listening.spawn(listen(socket, service));
        Ok(Self { address, _listening: listening })
    }

    /// Returns the base URL of a mode.
    pub(super) fn base_url(&self, mode: Mode) -> String {
        format!("http://{}/{}", self.address, mode.prefix())
    }
}

async fn listen(socket: TcpListener, service: Arc<Service>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = socket.accept().await {
        connections.spawn(serve(stream, Arc::clone(&service)));
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, service: Arc<Service>) {
    // Send small responses at once.
    drop(stream.set_nodelay(true));
    let answers = service_fn(move |request| answer(request, Arc::clone(&service)));
    // A client may close the connection at any time; that is not an error.
    drop(http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), answers).await);
}

async fn answer(request: Request<Incoming>, service: Arc<Service>) -> Result<Response<Full<Bytes>>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let question = Question {
        method: head.method.as_str(),
        path: head.uri.path(),
        query: head.uri.query().unwrap_or_default(),
        headers: head.headers.keys().map(ToString::to_string).collect(),
        body: &body,
    };
    let answer = service.answer(&question);
    let body = if answer.body.is_null() { Bytes::new() } else { Bytes::from(serde_json::to_vec(&answer.body)?) };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = StatusCode::from_u16(answer.status)?;
    for (name, value) in answer.headers {
        response.headers_mut().insert(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
    }
    Ok(response)
}
