//! A row of the catalogue: name and description of a fault, the requirements that must notice it, and its layers.

use crate::edge::{self, BytesFault, ConnectionForm, ExchangeFault, RequestFault, ResponseFault};
use crate::hooks::{self, DeliveryFault, HookFault, RegistrarFault};

/// Expected result of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It breaks the contract: one of these requirements must notice it.
    Broken(&'static [&'static str]),
    /// It keeps the contract in this profile: every requirement must hold.
    Benign(Profile),
}

/// Part of the contract that a benign variant keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The documented facts.
    Core,
    /// The whole document.
    Full,
}

/// A fault, or a benign variant.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// `area.what`, never reused.
    pub name: &'static str,
    /// Description of the server's behaviour, in one sentence.
    pub description: &'static str,
    /// Expected result of the suite.
    pub kind: Kind,
    /// Layers that change exchanges.
    pub edge: edge::Seams,
    /// Layers that change webhooks.
    pub hooks: hooks::Seams,
}

/// Returns a fault that one of `requirements` must notice.
pub(super) const fn fault(
    name: &'static str,
    description: &'static str,
    requirements: &'static [&'static str],
) -> Fault {
    row(name, description, Kind::Broken(requirements))
}

/// Returns a variant that keeps the contract of `profile`.
pub(super) const fn variant(name: &'static str, description: &'static str, profile: Profile) -> Fault {
    row(name, description, Kind::Benign(profile))
}

const fn row(name: &'static str, description: &'static str, kind: Kind) -> Fault {
    let edge = edge::Seams { bytes: None, connection: None, request: None, exchange: None, response: None };
    let hooks = hooks::Seams { hook: None, delivery: None, registrar: None };
    Fault { name, description, kind, edge, hooks }
}

impl Fault {
    /// Part of the contract that the fault concerns.
    pub fn area(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(area, _)| area)
    }

    /// Adds a layer that answers raw bytes on a connection.
    pub(super) const fn bytes(mut self, fault: BytesFault) -> Self {
        self.edge.bytes = Some(fault);
        self
    }

    /// Changes how connections behave.
    pub(super) const fn connection(mut self, form: ConnectionForm) -> Self {
        self.edge.connection = Some(form);
        self
    }

    /// Changes requests on their way in.
    pub(super) const fn request(mut self, fault: RequestFault) -> Self {
        self.edge.request = Some(fault);
        self
    }

    /// Takes over whole exchanges.
    pub(super) const fn exchange(mut self, fault: ExchangeFault) -> Self {
        self.edge.exchange = Some(fault);
        self
    }

    /// Changes responses on their way out.
    pub(super) const fn response(mut self, fault: ResponseFault) -> Self {
        self.edge.response = Some(fault);
        self
    }

    /// Changes webhooks before they go to the receiver.
    pub(super) const fn hook(mut self, fault: HookFault) -> Self {
        self.hooks.hook = Some(fault);
        self
    }

    /// Takes over whole deliveries.
    pub(super) const fn delivery(mut self, fault: DeliveryFault) -> Self {
        self.hooks.delivery = Some(fault);
        self
    }

    /// Changes the management of endpoints.
    pub(super) const fn registrar(mut self, fault: RegistrarFault) -> Self {
        self.hooks.registrar = Some(fault);
        self
    }
}
