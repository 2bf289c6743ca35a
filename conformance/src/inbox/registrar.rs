//! Registers and manages webhook endpoints at the target, which the API cannot do.
//!
//! The set-up provides an implementation: commands, or the administration interface of a server in the same process.

use std::fmt;

use futures::future::{BoxFuture, FutureExt};

/// The result of registering a webhook endpoint.
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

/// Optional abilities of a registrar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAbility {
    /// Removes its registrations.
    Remove,
    /// Registers for leads only.
    RegisterLeads,
    /// Gives an endpoint a new secret.
    Rotate,
    /// Sends an event again.
    Redeliver,
}

/// Registers URLs with the target, which the API cannot do. Every error is one clause.
pub trait HookRegistrar: Send + Sync + fmt::Debug {
    /// Registers `url` for leads and articles.
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>>;

    /// Removes a registration of `register`.
    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>>;

    /// Returns true if this registrar implements the ability.
    fn offers(&self, ability: HookAbility) -> bool {
        ability == HookAbility::Remove
    }

    /// Registers `url` for leads only.
    fn register_leads(&self, _url: String) -> BoxFuture<'_, Result<Registration, String>> {
        unable("registers for leads only")
    }

    /// Gives the endpoint another secret and returns it with its id.
    fn rotate(&self, _registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        unable("rotates a secret")
    }

    /// Sends the event with this `webhook-id` to the endpoint again.
    fn redeliver(&self, _registration: Registration, _event: String) -> BoxFuture<'_, Result<(), String>> {
        unable("sends an event again")
    }
}

fn unable<Done: Send + 'static>(what: &str) -> BoxFuture<'static, Result<Done, String>> {
    futures::future::ready(Err(format!("no command is configured that {what}"))).boxed()
}
