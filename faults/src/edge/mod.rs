//! A reverse proxy in front of a server, with its own listener, so that it controls bytes, headers and connections.
//! Without a fault it is transparent. Webhooks pass through `hooks`.

mod addresses;
mod exchange;
mod listener;
mod proxy;
mod upstream;
mod wire;
mod write;

pub(crate) use exchange::Layer;
pub use exchange::{BytesFault, ConnectionForm, Exchange, ExchangeFault, RequestFault, ResponseFault, Seams};
pub(crate) use proxy::Proxy;
pub use upstream::{Upstream, UpstreamError};
pub use wire::{Rewrite, Written};
