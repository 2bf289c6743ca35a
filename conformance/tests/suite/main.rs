//! The suite from outside: its command line, its reports, and its verdicts. The servers are fakes of the tests, and the reference server,
//! alone and behind proxies that break it.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod broken_senders;
#[cfg(feature = "reference")]
mod broken_servers;
mod catalogue;
mod chosen;
mod command_line;
#[cfg(feature = "reference")]
mod compare;
#[cfg(feature = "reference")]
mod controls;
#[cfg(feature = "reference")]
mod coverage;
mod declared_limits;
mod document_bounds;
mod flaky;
mod hostile_targets;
mod minimal_server;
mod model;
#[cfg(feature = "reference")]
mod moved_clock;
mod only_http2;
mod other_contract;
mod patience;
mod protected_target;
#[cfg(feature = "reference")]
mod prove;
mod quotas;
mod receivers;
#[cfg(feature = "reference")]
mod reference_server;
mod reports;
#[cfg(feature = "reference")]
mod restart;
mod shrinking;
mod sparse_server;
mod strategies;
mod support;
mod third_party;
#[cfg(feature = "reference")]
mod writer;
