//! The listener of the webhook proxy: passes each webhook through the layers of the enabled faults.

use std::sync::{Arc, PoisonError, RwLock};

use futures::future::FutureExt;
use futures::stream::{self, StreamExt as _};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::delivery::{Delivery, Layer};
use super::relay::{PREFIX, Relay};
use crate::message::{BodyForm, BrokenOff, Request, Response};

/// Maximum size of a webhook, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// The listener of the webhook proxy. Copies share it.
#[derive(Debug, Clone)]
pub(crate) struct Listener {
    relay: Relay,
    layers: Arc<RwLock<Arc<[Layer]>>>,
}

impl Listener {
    /// Listens on `address`, port 0 for any free port. Serves as long as the returned set lives.
    pub(crate) async fn start(address: &str) -> std::io::Result<(Self, JoinSet<()>)> {
        let socket = TcpListener::bind(address).await?;
        let relay = Relay::new(format!("http://{}", socket.local_addr()?))?;
        let listener = Self { relay, layers: Arc::default() };
        let mut server = JoinSet::new();
        server.spawn(listener.clone().serve(socket));
        Ok((listener, server))
    }

    /// Returns the endpoints and the connections to receivers.
    pub(crate) fn relay(&self) -> &Relay {
        &self.relay
    }

    pub(crate) fn set_layers(&self, layers: Vec<Layer>) {
        *self.layers.write().unwrap_or_else(PoisonError::into_inner) = layers.into();
    }

    fn layers(&self) -> Arc<[Layer]> {
        Arc::clone(&self.layers.read().unwrap_or_else(PoisonError::into_inner))
    }

    async fn serve(self, socket: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            // A failed accept concerns one connection. The sender will try again.
            let Ok((stream, _)) = socket.accept().await else { continue };
            while connections.try_join_next().is_some() {}
            let listener = self.clone();
            connections.spawn(async move {
                let service = service_fn(move |request: hyper::Request<Incoming>| {
                    let listener = listener.clone();
                    async move { written(listener.pass(request).await) }.boxed()
                });
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .serve_connection(TokioIo::new(stream), service);
                // A sender that disconnects breaks only its own delivery.
                let _ = connection.await;
            });
        }
    }

    async fn pass(&self, request: hyper::Request<Incoming>) -> Response {
        let (head, body) = request.into_parts();
        let number = head.uri.path().strip_prefix(PREFIX).and_then(|number| number.parse::<usize>().ok());
        let endpoint = number.and_then(|number| self.relay.endpoint(number));
        let Some(endpoint) = endpoint else { return Response::new(404, "no such endpoint") };
        let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
            return Response::new(413, "the webhook is too large");
        };
        let mut headers = head.headers;
        for name in ["host", "connection", "content-length", "transfer-encoding"] {
            headers.remove(name);
        }
        let path = head.uri.path().to_owned();
        let hook = Request { headers, body: body.to_bytes(), method: head.method, ..Request::get(&path) };
        let target = endpoint.target.clone();
        let mut response = Delivery::new(hook, endpoint, self.relay.clone(), self.layers()).pass().await;
        // A sender that follows redirects goes to the receiver's address, not to one of the proxy.
        response.change("location", |to| {
            url::Url::parse(&target).and_then(|url| url.join(to)).map_or_else(|_| to.to_owned(), Into::into)
        });
        response
    }
}

/// Converts a response for the wire; `None` if the connection must break.
fn written(response: Response) -> Result<hyper::Response<UnsyncBoxBody<Bytes, BrokenOff>>, BrokenOff> {
    if response.form == BodyForm::CutAfter(0) {
        return Err(BrokenOff);
    }
    let status = response.status_code();
    let whole = Full::from(response.body.clone()).map_err(|never| match never {});
    let body = match &response.rest {
        None => UnsyncBoxBody::new(whole),
        Some(rest) => {
            let begin = stream::iter([Ok(response.body.clone())]);
            let frames = begin.chain(rest.take()).map(|piece| piece.map(Frame::data));
            UnsyncBoxBody::new(StreamBody::new(frames))
        }
    };
    let mut answer = hyper::Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = response.headers;
    Ok(answer)
}
