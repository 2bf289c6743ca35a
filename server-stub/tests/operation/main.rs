//! What an operator sees of a server: metrics, health, how it stops, what its log holds, what its guide promises.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod guide;
mod health;
mod logs;
mod metrics;
#[expect(dead_code, reason = "these tests need a receiver and not all that it can do")]
#[path = "../hooks/receiver.rs"]
mod receiver;
mod wire;
