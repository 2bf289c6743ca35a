//! The suite from outside: its command line, its reports, and what it says of servers that are right, wrong, sparse or hostile.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod broken_senders;
#[cfg(feature = "reference")]
mod broken_servers;
mod catalogue;
mod command_line;
#[cfg(feature = "reference")]
mod coverage;
mod hostile_targets;
#[cfg(feature = "reference")]
mod prove;
#[cfg(feature = "reference")]
mod reference_server;
mod reports;
mod sparse_server;
mod strategies;
mod support;
mod third_party;
