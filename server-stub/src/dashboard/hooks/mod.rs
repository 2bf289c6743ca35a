//! Webhook pages: endpoints, the delivery log and redelivery.

pub(super) mod deliveries;
pub(super) mod delivery;
mod display;
pub(super) mod edit;
pub(super) mod endpoint;
pub(super) mod secret;
