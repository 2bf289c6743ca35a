//! Nothing but tests: the SDK with the TLS library of the operating system, and its verifier beside the one of svix.
//!
//! ```sh
//! cargo test --locked --manifest-path sdk/svix/Cargo.toml
//! ```
