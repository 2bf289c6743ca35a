//! What https is spoken by: rustls, set up for this client alone, or the operating system's library. Nothing is installed for the
//! process, which belongs to the application.

#[cfg(feature = "rustls")]
mod by_rustls;
#[cfg(feature = "native-tls")]
mod by_system;
mod choice;
#[cfg(feature = "rustls")]
mod lazy_verifier;

pub(super) use choice::set_up;
