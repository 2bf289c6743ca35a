//! What must hold of any bytes is in the tests of the SDK, which run it on the stable compiler, too.
//! `cd sdk && cargo +nightly fuzz run event`

#![no_main]

#[path = "../../tests/client/fuzzed/event.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::holds(data));
