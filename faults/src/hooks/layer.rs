//! Layer by which a fault changes webhooks on their way to the receiver.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::delivery::Delivery;
use super::endpoint::Endpoint;
use super::registrar::RegistrarFault;
use crate::memory::Enabled;
use crate::message::{Request, Response};

/// Changes a webhook before the receiver gets it. Then signs it again, unless the fault changed the signature.
pub type HookFault = fn(&mut Request, &Endpoint, &crate::memory::Memory);
/// Takes over a delivery: sends any webhooks and responds to the server's sender.
pub type DeliveryFault = fn(Delivery) -> BoxFuture<'static, Response>;

/// Layers that a fault can use for webhooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seams {
    /// Changes webhooks.
    pub hook: Option<HookFault>,
    /// Takes over the whole attempt.
    pub delivery: Option<DeliveryFault>,
    /// Changes the management of endpoints.
    pub registrar: Option<RegistrarFault>,
}

impl Seams {
    /// Returns true if the fault changes webhooks at all.
    pub fn is_used(&self) -> bool {
        self.hook.is_some() || self.delivery.is_some() || self.registrar.is_some()
    }
}

/// An enabled fault and its layers for webhooks.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) enabled: Arc<Enabled>,
    pub(crate) seams: Seams,
}
