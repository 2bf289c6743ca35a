//! Hook endpoints of an account and the deliveries to them.

mod deliveries;
mod endpoints;

pub use deliveries::{DeliveryView, MAX_RECOVERY, MAX_REDELIVERED, Matching};
pub use endpoints::{DEFAULT_SECRET_OVERLAP, EndpointView, HookSettings, MAX_SECRET_OVERLAP, RotatedSecret};
