//! A proxy between a server's sender of webhooks and a receiver. The server has the proxy's address registered. The
//! proxy knows the secret and can change, sign, delay, drop, duplicate and redirect webhooks. It does not handle the
//! API.

mod delivery;
mod endpoint;
mod layer;
mod registrar;
mod relay;
mod signature;

pub use delivery::Delivery;
pub use endpoint::Endpoint;
pub(crate) use layer::Layer;
pub use layer::{DeliveryFault, HookFault, Seams};
pub use registrar::{Call, Deviation, RegistrarFault};
pub use relay::Relay;
pub use signature::{authenticate, key_of, sign, sign_with_key};
