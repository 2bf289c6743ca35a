//! Differences between an operating system and JavaScript: clocks, timers, randomness and connections. Each platform has a file with
//! the same items.

mod connecting;
mod deadline;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod native;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod tls;
mod tls_backend;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod web;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
use native as here;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
use web as here;

pub(crate) use connecting::{Connecting, Identity, ProxyUrl};
pub(crate) use deadline::after;
pub(crate) use here::{
    Instant, body_of, connections, fails_to_connect, now, on_this_thread, random_bits, sleep, sleep_until, timeout_at,
};
pub use tls_backend::TlsBackend;
