//! State shared by all connections of the proxy, and the path of one exchange through it.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;

use super::addresses::Addresses;
use super::exchange::{ConnectionForm, Exchange, Layer};
use super::upstream::{HOP_BY_HOP, Upstream};
use super::write::{self, Body};
use crate::hooks::Relay;
use crate::memory::World;
use crate::message::{Request, Response};

/// Maximum size of a request body, in bytes. It is far above the document's limit, which the server must enforce.
const MAX_BODY: usize = 8 * 1024 * 1024;
/// Maximum time for a request body to arrive (`body_time` under `x-limits`).
const MAX_BODY_TIME: Duration = Duration::from_secs(30);

/// A proxy without its listener. Copies share it.
#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    upstream: Upstream,
    world: World,
    relay: Relay,
    own_origin: Arc<str>,
    layers: Arc<RwLock<Arc<[Layer]>>>,
}

impl Proxy {
    pub(crate) fn new(upstream: Upstream, own_origin: &str, world: World, relay: Relay) -> Self {
        Self { upstream, world, relay, own_origin: own_origin.into(), layers: Arc::default() }
    }

    pub(crate) fn set_layers(&self, layers: Vec<Layer>) {
        *self.layers.write().unwrap_or_else(PoisonError::into_inner) = layers.into();
    }

    pub(super) fn layers(&self) -> Arc<[Layer]> {
        Arc::clone(&self.layers.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn connection_form(&self) -> ConnectionForm {
        self.layers().iter().filter_map(|layer| layer.seams.connection).fold(
            ConnectionForm::default(),
            |form, other| ConnectionForm {
                title_case: form.title_case || other.title_case,
                closes: form.closes || other.closes,
                rewrite: form.rewrite.or(other.rewrite),
            },
        )
    }

    /// Returns the path within the API; `None` for another path on the same host.
    fn path_within_api(&self, path: &str) -> Option<String> {
        let base_path: &str = self.upstream.base_path();
        let within = path.strip_prefix(base_path)?;
        (base_path.is_empty() || within.is_empty() || within.starts_with('/')).then(|| within.to_owned())
    }

    /// Responds to a request.
    pub(super) async fn answer(&self, request: hyper::Request<Incoming>) -> hyper::Response<Body> {
        let method = request.method().clone();
        let mut response = match read(request).await {
            Ok(mut request) => match self.path_within_api(&request.path) {
                Some(path) => {
                    (request.path, request.base_path) = (path, Arc::clone(self.upstream.base_path()));
                    let (upstream, world) = (self.upstream.clone(), self.world.clone());
                    Exchange::new(request, upstream, world, self.relay.clone(), self.layers()).pass().await
                }
                // Pages of the same host, for example.
                None => self.upstream.at_its_root().send(&request).await,
            },
            Err(refusal) => refusal,
        };
        let server_origin = self.upstream.origin();
        let base_path = self.upstream.base_path();
        let addresses = Addresses { server_origin: &server_origin, base_path, own_origin: &self.own_origin };
        addresses.lead_through_edge(&mut response.headers);
        tokio::time::sleep(response.delay).await;
        write::write(response, &method)
    }
}

/// Returns a request with its whole path.
async fn read(request: hyper::Request<Incoming>) -> Result<Request, Response> {
    let (head, body) = request.into_parts();
    let reading = Limited::new(body, MAX_BODY).collect();
    let whole = tokio::time::timeout(MAX_BODY_TIME, reading).await.map_err(|_| Response {
        closes: true,
        ..Response::problem(&Response::new(408, ""), 408, "request_timeout", "Request timeout")
    })?;
    let body = whole.map_err(|error| {
        let is_long = error.is::<http_body_util::LengthLimitError>();
        let status = if is_long { 413 } else { 400 };
        Response { closes: true, ..Response::new(status, "the body could not be read") }
    })?;
    let mut headers = head.headers;
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    Ok(Request {
        method: head.method,
        path: head.uri.path().to_owned(),
        base_path: Arc::default(),
        query: head.uri.query().map(ToOwned::to_owned),
        headers,
        body: body.to_bytes(),
        address: head.extensions.get::<IpAddr>().copied(),
    })
}
