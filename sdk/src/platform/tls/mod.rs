//! TLS backends for https: rustls, set up for this client alone, or the operating system's library. Process-wide settings belong to the
//! application, so nothing is installed for the process.

#[cfg(feature = "rustls")]
mod by_rustls;
#[cfg(feature = "native-tls")]
mod by_system;
mod choice;
#[cfg(feature = "rustls")]
mod lazy_verifier;

pub(super) use choice::set_up;
