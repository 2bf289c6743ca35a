//! APIs of the model providers: formats of requests and responses. `transport` sends them.

mod anthropic;
mod kind;
mod openai;
mod request;

pub use kind::Provider;
pub(super) use request::{Message, OutputShape, Request};
