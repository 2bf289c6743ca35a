//! APIs of the model providers: formats of requests and responses. `transport` sends them.

mod anthropic;
mod openai;
mod provider;
mod request;

pub use provider::Provider;
pub(super) use request::{Message, OutputShape, Request};
