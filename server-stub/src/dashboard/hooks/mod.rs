//! Hooks: the endpoints of the account, what was sent to them, and sending it again.

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
