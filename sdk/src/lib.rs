#![doc = include_str!("../README.md")]

mod answer;
#[cfg(feature = "blocking")]
pub mod blocking;
mod bounds;
mod builder;
mod call;
mod clock;
mod config;
mod error;
mod error_from;
mod error_kind;
mod exchange;
#[rustfmt::skip]
mod generated;
mod key;
mod lenient;
mod options;
pub mod pagination;
mod random;
mod recipe;
mod response;
mod retry;
mod retry_after;
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
