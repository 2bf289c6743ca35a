//! A proxy between a server's sender of webhooks and a receiver. The server has the proxy's address registered. The
//! proxy knows the secret and can change, sign, delay, drop, duplicate and redirect webhooks. It does not handle the
//! API.

mod delivery;
mod endpoint;
mod listener;
mod registrar;
mod relay;
mod signature;

pub(crate) use delivery::Layer;
pub use delivery::{Delivery, DeliveryFault, HookFault, Seams};
pub use endpoint::Endpoint;
pub(crate) use listener::Listener;
pub use registrar::{Call, Deviation, RegistrarFault};
pub use relay::Relay;
pub use signature::{authenticate, key_of, sign, sign_with_key};
