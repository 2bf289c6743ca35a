//! The SDK in front of servers and senders with faults: each fault of the catalogue is met by the calls that an application makes.
//! Nothing here is random: the faults come in the order of the catalogue, and what each should lead to stands in `expected` and
//! `expected_hooks`.

mod calls;
mod expected;
mod expected_hooks;
mod findings;
mod hooks;
mod lane;
mod reading;
mod receiver;
