//! The two proxies over real sockets, and the program that serves them.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod control;
mod echo;
mod edge;
mod hooks;
mod model;
mod program;
mod relay;
mod variants;
