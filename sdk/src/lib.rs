#![doc = include_str!("../README.md")]
#![doc = include_str!("guide.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(target_arch = "wasm32", target_os = "unknown", any(feature = "blocking", feature = "test-util")))]
compile_error!("the features `blocking` and `test-util` need threads and sockets, which this target does not have");

mod attempts;
#[cfg(feature = "blocking")]
pub mod blocking;
mod bounds;
mod builder;
mod call;
mod client;
mod config;
mod custom_request;
mod error;
mod error_from;
mod error_kind;
mod error_words;
mod exchange;
#[rustfmt::skip]
mod generated;
mod idempotency;
mod invalid_request;
mod key;
mod lenient;
mod operation;
mod optional;
mod options;
mod page_loop;
pub mod pagination;
mod platform;
mod random;
mod response;
mod retry;
mod retry_after;
mod retry_safety;
mod segment;
mod shapes;
#[cfg(feature = "test-util")]
pub mod test_util;
mod trace;
pub mod wait;
pub mod webhook;

/// Crates whose types are in this API, in the versions that it uses.
pub use {chrono, http, reqwest};

pub use builder::ClientBuilder;
pub use client::Client;
pub use config::ConfigError;
pub use custom_request::{CustomPage, CustomRequest};
pub use error::Error;
pub use error_kind::ErrorKind;
pub use generated::{builder as operations, types};
pub use invalid_request::InvalidRequest;
pub use optional::IntoOption;
pub use options::{EffectiveOptions, RequestOptions};
pub use platform::TlsBackend;
pub use response::Response;
pub use retry_safety::RetrySafety;
pub use shapes::{UnknownKind, UnknownValue};
