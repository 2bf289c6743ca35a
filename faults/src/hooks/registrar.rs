//! How a fault changes registering, rotating, redelivering and removing endpoints.

/// Something that is asked of whoever registers endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call<'call> {
    /// Register a URL for leads and articles.
    Register {
        /// The URL that was asked for.
        url: &'call str,
    },
    /// Register a URL for leads only.
    RegisterLeads,
    /// Give an endpoint another secret.
    Rotate,
    /// Send an event again.
    Redeliver,
    /// Remove an endpoint.
    Remove,
}

/// How a server with a fault does something else, for whoever stands between the one who asks and the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deviation {
    /// The server is not called. The caller is told that it was done.
    /// A registration gets an id that is made up, and what is removed is marked so at the proxy.
    OnlyClaimed,
    /// The server is asked to register for every event in the place of some.
    ForEverything,
    /// An address of the proxy is registered in the place of one with TLS: the fault decides which certificate will do.
    ProxyForTls,
    /// Whoever asks is told that this is the secret. The proxy learns the server's, as always; the fault signs with this one.
    OtherSecret(String),
}

/// What a fault makes of a call; nothing where it does what it should.
pub type RegistrarFault = fn(Call<'_>) -> Option<Deviation>;
