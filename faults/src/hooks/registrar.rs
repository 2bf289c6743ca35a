//! Changes made by faults to registering, rotating, redelivering and removing endpoints.

/// A call to the management of endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call<'call> {
    /// Register a URL for leads and articles.
    Register {
        /// Requested URL.
        url: &'call str,
    },
    /// Register a URL for leads only.
    RegisterLeads,
    /// Rotate the secret of an endpoint.
    Rotate,
    /// Redeliver an event.
    Redeliver,
    /// Remove an endpoint.
    Remove,
}

/// How a fault changes a registration call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deviation {
    /// Skips the call and reports success. A registration gets an invented id, and a removed endpoint is marked at the
    /// proxy.
    OnlyClaimed,
    /// Registers for all events instead of the requested ones.
    ForEverything,
    /// Registers an address of the proxy instead of one with TLS. The fault decides which certificates to accept.
    ProxyForTls,
    /// Returns this secret to the caller. The proxy stores the server's secret as usual; the fault signs with this one.
    OtherSecret(String),
}

/// Returns the change that a fault makes to a call; `None` for normal behaviour.
pub type RegistrarFault = fn(Call<'_>) -> Option<Deviation>;
