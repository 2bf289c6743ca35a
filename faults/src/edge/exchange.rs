//! One exchange on its way through the enabled faults, and the layers by which a fault changes it.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};

use super::upstream::Upstream;
use super::wire::Rewrite;
use crate::hooks::Relay;
use crate::memory::{Enabled, Memory, World};
use crate::message::{Passage, Request, Response};

/// Changes a request before the server gets it.
pub type RequestFault = fn(&mut Request, &Memory);
/// Changes a response before the caller gets it. The request is the caller's.
pub type ResponseFault = fn(&mut Response, &Request, &Memory);
/// Takes over an exchange: sends any requests to the server and returns the response.
pub type ExchangeFault = fn(Exchange) -> BoxFuture<'static, Response>;
/// Given the first bytes of a connection. Returns raw bytes to write back, or `None` to serve it as HTTP.
pub type BytesFault = fn(&str) -> Option<Vec<u8>>;

/// Behaviour of connections.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConnectionForm {
    /// Writes header names with capitals.
    pub title_case: bool,
    /// Closes each connection after one response, as announced.
    pub closes: bool,
    /// Changes responses below HTTP.
    pub rewrite: Option<Rewrite>,
}

/// Layers that a fault can use. Exchanges pass several of them in this order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seams {
    /// Answers raw bytes on a connection.
    pub bytes: Option<BytesFault>,
    /// Changes connections.
    pub connection: Option<ConnectionForm>,
    /// Changes requests.
    pub request: Option<RequestFault>,
    /// Takes over whole exchanges.
    pub exchange: Option<ExchangeFault>,
    /// Changes responses.
    pub response: Option<ResponseFault>,
}

impl Seams {
    /// Returns true if the fault changes exchanges at all.
    pub fn is_used(&self) -> bool {
        self.bytes.is_some()
            || self.connection.is_some()
            || self.request.is_some()
            || self.exchange.is_some()
            || self.response.is_some()
    }
}

/// An enabled fault and its layers for exchanges.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) enabled: Arc<Enabled>,
    pub(crate) seams: Seams,
}

/// One exchange, handled by one fault.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Request from the caller, or from the previous fault.
    pub request: Request,
    /// Memory of this fault.
    pub memory: Memory,
    /// Connection to the receivers of webhooks.
    pub relay: Relay,
    upstream: Upstream,
    world: World,
    layers: Arc<[Layer]>,
    /// Index of the next layer.
    next: usize,
    passage: Passage,
}

impl Exchange {
    pub(super) fn new(request: Request, upstream: Upstream, world: World, relay: Relay, layers: Arc<[Layer]>) -> Self {
        let memory = Memory::new(world.clone());
        Self { request, memory, relay, upstream, world, layers, next: 0, passage: Passage::default() }
    }

    /// Returns the origin of the server in addresses of its bodies, such as `http://127.0.0.1:8080`.
    pub fn server_origin(&self) -> String {
        self.upstream.origin()
    }

    /// Forwards the request unchanged.
    pub async fn forward(&self) -> Response {
        self.send(self.request.clone()).await
    }

    /// Sends another request, through the remaining faults.
    pub async fn send(&self, request: Request) -> Response {
        let response = Self { request: request.clone(), ..self.clone() }.pass().await;
        self.passage.note(&request, &response);
        response
    }

    /// Sends the request with another key, like a server that does not check the account.
    pub async fn send_as(&self, key: &str) -> Response {
        self.send(self.request.clone().with_key(key)).await
    }

    /// Counts one changed exchange and logs it.
    pub fn count_as_spoiled(&self, what: &str) {
        if let Some(layer) = self.next.checked_sub(1).and_then(|own| self.layers.get(own)) {
            layer.enabled.count_as_spoiled("edge", what);
        }
    }

    /// Sends the request through the remaining layers and then to the server.
    pub(super) fn pass(mut self) -> BoxFuture<'static, Response> {
        let Some(layer) = self.layers.get(self.next).cloned() else {
            return async move {
                let response = self.upstream.send(&self.request).await;
                self.world.observe(&self.request, &response);
                response
            }
            .boxed();
        };
        self.next += 1;
        self.memory = layer.enabled.memory.clone();
        self.passage = Passage::default();
        async move {
            let original = self.request.clone();
            let (memory, passage) = (self.memory.clone(), self.passage.clone());
            if let Some(change) = layer.seams.request {
                change(&mut self.request, &memory);
            }
            let mut response = match layer.seams.exchange {
                Some(exchange) => exchange(self).await,
                None => self.forward().await,
            };
            if let Some(change) = layer.seams.response {
                change(&mut response, &original, &memory);
            }
            if !passage.is_unchanged(&original, &response) {
                layer.enabled.count_as_spoiled("edge", original.method.as_str());
            }
            response
        }
        .boxed()
    }
}
