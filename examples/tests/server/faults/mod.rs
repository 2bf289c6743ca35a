//! Tests the SDK against servers and webhook senders with faults. An application's calls run against each fault of the catalogue.
//! Nothing here is random. `expected` and `expected_hooks` contain the expected outcome for each fault.

mod calls;
mod expected;
mod expected_hooks;
mod findings;
mod hooks;
mod lane;
mod reading;
mod receiver;
