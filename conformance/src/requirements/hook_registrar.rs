//! Registering a URL with the target, which the API cannot do.
//!
//! The set-up brings an implementation: a command, or the administrator's door of a server in the same process.

use std::fmt;

use futures::future::BoxFuture;

/// What the registration of a hook gave.
#[derive(Clone, Default)]
pub struct Registration {
    /// The endpoint's id, for removing it.
    pub id: Option<String>,
    /// The signing secret.
    pub secret: Option<String>,
}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Registration").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Registers URLs with the target, which the API cannot do.
pub trait HookRegistrar: Send + Sync + fmt::Debug {
    /// Registers `url` for leads and articles; the error is one clause.
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>>;

    /// Removes what `register` made; the error is one clause.
    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>>;

    /// Whether `remove` does more than nothing.
    fn removes(&self) -> bool {
        true
    }
}
