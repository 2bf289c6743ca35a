//! Webhook pages: endpoints, the delivery log and redelivery.

mod deliveries;
mod delivery;
mod display;
mod edit;
mod endpoint;
mod filter;
mod list;
mod redeliver;
mod remove;
mod routes;
mod secret;

pub(super) use routes::routes;
