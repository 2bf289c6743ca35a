#![doc = include_str!("../README.md")]

#[cfg(all(target_arch = "wasm32", target_os = "unknown", any(feature = "blocking", feature = "test-util")))]
compile_error!("the features `blocking` and `test-util` need threads and sockets, which this target has not");

mod answer;
#[cfg(feature = "blocking")]
pub mod blocking;
mod bounds;
mod builder;
mod call;
mod config;
mod error;
mod error_from;
mod error_kind;
mod error_words;
mod exchange;
#[rustfmt::skip]
mod generated;
mod idempotency;
mod key;
mod lenient;
mod options;
pub mod pagination;
mod platform;
mod random;
mod recipe;
mod repeats;
mod response;
mod retry;
mod retry_after;
mod sealed;
mod segment;
mod settings;
#[cfg(feature = "test-util")]
pub mod test_util;
mod trace;
pub mod wait;
pub mod webhook;

pub use builder::ClientBuilder;
pub use config::ConfigError;
pub use error::Error;
pub use error_kind::ErrorKind;
pub use generated::{Client, builder as operations, types};
pub use options::RequestOptions;
pub use response::Response;
