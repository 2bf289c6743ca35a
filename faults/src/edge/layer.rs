//! Layer by which a fault changes exchanges with the server.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::exchange::Exchange;
use super::wire::Rewrite;
use crate::memory::{Enabled, Memory};
use crate::message::{Request, Response};

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
