//! What a fault does when somebody looks after endpoints.

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

/// How a server with a fault does something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deviation {
    /// It says that it did, and did not.
    OnlySaid,
    /// It registers for every event in the place of some.
    ForEverything,
    /// The proxy stands for the receiver whatever its certificate.
    StandsForTls,
    /// It says that this is the secret, with which the proxy signs.
    OtherSecret(String),
}

/// What a fault makes of a call; nothing where it does what it should.
pub type RegistrarFault = fn(Call<'_>) -> Option<Deviation>;
