//! Hook endpoints of an account and the deliveries to them.

mod deliveries;
mod delivery_search;
mod endpoints;

pub use deliveries::MAX_RECOVERY;
pub use delivery_search::{DeliveryView, MAX_REDELIVERED, Matching};
pub use endpoints::{DEFAULT_SECRET_OVERLAP, EndpointView, MAX_SECRET_OVERLAP, RotatedSecret};
