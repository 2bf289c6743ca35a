//! Tests of the optional features through their public interfaces.

#[cfg(all(feature = "axum", feature = "test-util"))]
mod axum_hooks;
#[cfg(all(feature = "blocking", feature = "test-util"))]
mod blocking_calls;
#[cfg(feature = "test-util")]
mod mock_service;
mod replay_guard;
mod replay_handlers;
#[cfg(feature = "test-util")]
mod tracing_spans;
