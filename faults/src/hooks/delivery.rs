//! One attempt to deliver a webhook, on its way through the enabled faults, and the layers by which a fault changes it.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use serde_json::Value;

use super::endpoint::Endpoint;
use super::registrar::RegistrarFault;
use super::relay::Relay;
use super::signature;
use crate::memory::{Enabled, Memory};
use crate::message::{Passage, Request, Response};

/// Changes a webhook before the receiver gets it. Then signs it again, unless the fault changed the signature.
pub type HookFault = fn(&mut Request, &Endpoint, &Memory);
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

/// One attempt, handled by one fault.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Webhook from the server, or from the previous fault.
    pub request: Request,
    /// Endpoint that receives it.
    pub endpoint: Endpoint,
    /// Memory of this fault.
    pub memory: Memory,
    /// Proxy for everything else that a fault may do with webhooks.
    pub relay: Relay,
    layers: Arc<[Layer]>,
    /// Index of the next layer.
    next: usize,
    passage: Passage,
}

impl Delivery {
    pub(super) fn new(request: Request, endpoint: Endpoint, relay: Relay, layers: Arc<[Layer]>) -> Self {
        let memory = Memory::default();
        Self { request, endpoint, memory, relay, layers, next: 0, passage: Passage::default() }
    }

    /// Returns the payload.
    pub fn event(&self) -> Option<Value> {
        self.request.json()
    }

    /// Returns the type of the event, such as `lead.captured`.
    pub fn event_type(&self) -> String {
        self.event().and_then(|event| Some(event.get("type")?.as_str()?.to_owned())).unwrap_or_default()
    }

    /// Forwards the webhook unchanged.
    pub async fn forward(&self) -> Response {
        self.send(self.request.clone()).await
    }

    /// Sends another webhook, through the remaining faults. Signs it again if its signed content changed and its
    /// signature did not.
    pub async fn send(&self, mut hook: Request) -> Response {
        let is_signed = |hook: &Request| {
            let signed = (hook.header("webhook-id"), hook.header("webhook-timestamp"));
            (signed.0.map(ToOwned::to_owned), signed.1.map(ToOwned::to_owned), hook.body.clone())
        };
        let is_left = hook.header("webhook-signature") == self.request.header("webhook-signature");
        if is_left && is_signed(&hook) != is_signed(&self.request) {
            signature::sign_anew(&self.request, &mut hook, &self.endpoint.secrets);
        }
        let response = Self { request: hook.clone(), ..self.clone() }.pass().await;
        self.passage.note(&hook, &response);
        response
    }

    /// Counts one changed delivery and logs it.
    pub fn count_as_spoiled(&self, what: &str) {
        if let Some(layer) = self.next.checked_sub(1).and_then(|own| self.layers.get(own)) {
            layer.enabled.count_as_spoiled("hooks", what);
        }
    }

    /// Sends the webhook through the remaining layers.
    pub(super) fn pass(mut self) -> BoxFuture<'static, Response> {
        let Some(layer) = self.layers.get(self.next).cloned() else {
            return async move { self.relay.send(&self.endpoint.target, self.request).await }.boxed();
        };
        self.next += 1;
        self.memory = layer.enabled.memory.clone();
        self.passage = Passage::default();
        async move {
            let original = self.request.clone();
            if let Some(change) = layer.seams.hook {
                let mut changed = original.clone();
                change(&mut changed, &self.endpoint, &self.memory);
                let is_changed = changed != original;
                if is_changed {
                    layer.enabled.count_as_spoiled("hooks", "hook");
                }
                return self.send(changed).await;
            }
            let Some(delivery) = layer.seams.delivery else { return self.pass().await };
            let passage = self.passage.clone();
            let response = delivery(self).await;
            if !passage.is_unchanged(&original, &response) {
                layer.enabled.count_as_spoiled("hooks", "delivery");
            }
            response
        }
        .boxed()
    }
}
