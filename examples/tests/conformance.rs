//! Runs the conformance suite as a test of your own project: each requirement is a line of `cargo test`.
//!
//! `cargo test -p contentgen-examples --test conformance -- generate` runs the requirements with `generate` in their id, and
//! `-- --list` lists them. The target here is the built-in reference server. For your server, create a `Target` with its address,
//! key and website.

use std::process::ExitCode;

use contentgen_conformance::harness;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{SetUpError, Settings};
use contentgen_conformance::spec::Profile;

fn main() -> ExitCode {
    let settings = Settings { profile: Profile::Core, cases: 16, seed: 1, ..Settings::default() };
    // Kept until the run ends: dropping it stops the server.
    let mut server = None;
    harness::main(settings, || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| SetUpError::Configuration(error.to_string()))?;
        // Against your own server: Ok(Target::new("http://127.0.0.1:8080", account))
        let started = runtime.block_on(Reference::start())?;
        Ok(server.insert(started).target())
    })
}
