//! The suite from outside: its command line, its reports, and what it says of servers that a test makes up. What keeps both cores busy
//! with reference servers stands in programs of its own, `servers` and `prove`: beside it, tests that watch the clock would fail.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod broken_senders;
mod catalogue;
mod chosen;
mod command_line;
mod document_bounds;
mod flaky;
mod hostile_targets;
mod other_contract;
mod patience;
mod quotas;
mod reports;
mod sparse_server;
mod strategies;
mod support;
mod third_party;
