//! The APIs of model providers: how a request looks and how a response is read. How they travel is in `transport`.

mod anthropic;
mod kind;
mod openai;
mod request;

pub use kind::Provider;
pub(super) use request::{Message, OutputShape, Request};
