//! The suite against the reference server as it is, behind proxies that spoil it, and what it saw of the document there.

#![cfg(feature = "reference")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod broken_servers;
mod controls;
mod coverage;
mod reference_server;
#[expect(dead_code, reason = "only a part of the fake server is needed here")]
#[path = "../suite/support/mod.rs"]
mod support;
