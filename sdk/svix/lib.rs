//! Nothing but a test: the verifier of the SDK beside the one of svix.
//!
//! ```sh
//! cargo test --locked --manifest-path sdk/svix/Cargo.toml
//! ```
