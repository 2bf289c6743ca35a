//! What a fault does to exchanges, as a layer around the way to the server.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::exchange::Exchange;
use super::wire::Rewrite;
use crate::memory::{Enabled, Memory};
use crate::message::{Request, Response};

/// Changes a request on its way in.
pub type RequestFault = fn(&mut Request, &Memory);
/// Changes a response on its way out. The request is the one that the caller sent.
pub type ResponseFault = fn(&mut Response, &Request, &Memory);
/// Takes an exchange over: sends what it likes to the server, and answers.
pub type ExchangeFault = fn(Exchange) -> BoxFuture<'static, Response>;
/// Given the first bytes of a connection. Returns raw bytes to write back, or `None` to serve it as HTTP.
pub type BytesFault = fn(&str) -> Option<Vec<u8>>;

/// How connections behave.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConnectionForm {
    /// Names of headers are written with capitals.
    pub title_case: bool,
    /// Each connection ends after one response, as announced.
    pub closes: bool,
    /// How responses are changed below HTTP.
    pub rewrite: Option<Rewrite>,
}

/// The places at which a fault can act on exchanges. A fault that uses several sees them in this order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seams {
    /// On what arrives on a connection.
    pub bytes: Option<BytesFault>,
    /// On how connections behave.
    pub connection: Option<ConnectionForm>,
    /// On requests.
    pub request: Option<RequestFault>,
    /// On whole exchanges.
    pub exchange: Option<ExchangeFault>,
    /// On responses.
    pub response: Option<ResponseFault>,
}

impl Seams {
    /// Whether the fault acts on exchanges at all.
    pub fn is_used(&self) -> bool {
        self.bytes.is_some()
            || self.connection.is_some()
            || self.request.is_some()
            || self.exchange.is_some()
            || self.response.is_some()
    }
}

/// An enabled fault around the way to the server.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) enabled: Arc<Enabled>,
    pub(crate) seams: Seams,
}
