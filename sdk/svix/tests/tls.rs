//! https by the operating system's own library: the same calls as with rustls, which are tests of the SDK.

#[path = "../../tests/tls/authority.rs"]
mod authority;
#[path = "../../tests/tls/calls.rs"]
mod calls;
#[path = "../../tests/tls/own_certificates.rs"]
mod own_certificates;
#[path = "../../tests/tls/process.rs"]
mod process;
#[path = "../../tests/tls/server.rs"]
mod server;
