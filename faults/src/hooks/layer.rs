//! What a fault does to hooks, as a layer around the way to the receiver.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::delivery::Delivery;
use super::endpoint::Endpoint;
use super::registrar::RegistrarFault;
use crate::memory::Enabled;
use crate::message::{Request, Response};

/// Changes a hook before it goes to the receiver; it is then signed anew, unless the fault changed the signature itself.
pub type HookFault = fn(&mut Request, &Endpoint, &crate::memory::Memory);
/// Takes a delivery over: sends what it likes, and answers the server's sender.
pub type DeliveryFault = fn(Delivery) -> BoxFuture<'static, Response>;

/// The places at which a fault can act on hooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seams {
    /// On what passes.
    pub hook: Option<HookFault>,
    /// On the whole attempt.
    pub delivery: Option<DeliveryFault>,
    /// On looking after endpoints.
    pub registrar: Option<RegistrarFault>,
}

impl Seams {
    /// Whether the fault acts on hooks at all.
    pub fn is_used(&self) -> bool {
        self.hook.is_some() || self.delivery.is_some() || self.registrar.is_some()
    }
}

/// An enabled fault around the way to the receiver.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) enabled: Arc<Enabled>,
    pub(crate) seams: Seams,
}
