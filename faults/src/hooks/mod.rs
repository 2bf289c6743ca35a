//! A proxy between a server's sender of hooks and a receiver. It is what is registered; it knows the secret, and can change,
//! sign anew, hold, drop, double and redirect what it passes on. The API is none of its business.

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
