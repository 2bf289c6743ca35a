//! Registers the suite's receiver with a faulty server: the server gets the address of the proxy.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use contentgen_faults::FaultyServer;
use contentgen_faults::hooks::{Call, Deviation};
use futures::future::{BoxFuture, FutureExt};

use crate::runner::{HookAbility, HookRegistrar, Registration};

/// A registrar in front of another one.
pub(super) struct FaultyRegistrar {
    inner: Arc<dyn HookRegistrar>,
    server: Arc<FaultyServer>,
    /// URL at which the target reaches this machine; `{port}` is replaced by the port.
    public_url: String,
    /// Numbers of the proxy's endpoints, by the id of the registration.
    numbers: Mutex<HashMap<String, usize>>,
    /// The registrations at the server, whatever their owner was shown, by id.
    registered: Mutex<HashMap<String, Registration>>,
}

impl fmt::Debug for FaultyRegistrar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FaultyRegistrar").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl FaultyRegistrar {
    pub(super) fn new(inner: Arc<dyn HookRegistrar>, server: Arc<FaultyServer>, public_url: &str) -> Self {
        Self {
            inner,
            server,
            public_url: public_url.to_owned(),
            numbers: Mutex::default(),
            registered: Mutex::default(),
        }
    }

    /// Returns true if `url` leads to the suite's receiver, and not to an address that must be refused.
    fn is_receiver(&self, url: &str, deviation: Option<&Deviation>) -> bool {
        let before_port = self.public_url.split("{port}").next().unwrap_or_default();
        let plain = url.starts_with(before_port);
        let over_tls = before_port
            .strip_prefix("http://")
            .is_some_and(|rest| url.strip_prefix("https://").is_some_and(|url| url.starts_with(rest)));
        plain || (over_tls && deviation == Some(&Deviation::ProxyForTls))
    }

    async fn create(&self, url: String, leads_only: bool) -> Result<Registration, String> {
        let call = if leads_only { Call::RegisterLeads } else { Call::Register { url: &url } };
        let deviation = self.server.deviation(call);
        if deviation == Some(Deviation::OnlyClaimed) {
            return Ok(Registration { id: Some(format!("only-said-{}", self.numbers().len())), secret: None });
        }
        let is_narrow = leads_only && deviation != Some(Deviation::ForEverything);
        if !self.is_receiver(&url, deviation.as_ref()) {
            let made = if is_narrow { self.inner.register_leads(url) } else { self.inner.register(url) }.await?;
            self.note(&made);
            return Ok(made);
        }
        let relay = self.server.relay();
        let endpoint = relay.open(&url);
        let own = relay.url_at(&endpoint, &self.public_url);
        let made = if is_narrow { self.inner.register_leads(own) } else { self.inner.register(own) }.await?;
        if let Some(secret) = &made.secret {
            relay.learn_secret(endpoint.number, secret);
        }
        if let Some(id) = &made.id {
            self.numbers().insert(id.clone(), endpoint.number);
        }
        self.note(&made);
        Ok(told(made, deviation))
    }

    fn note(&self, made: &Registration) {
        if let Some(id) = &made.id {
            self.registered().insert(id.clone(), made.clone());
        }
    }

    /// Removes the remaining registrations.
    pub(super) async fn remove_rest(&self) {
        let rest = std::mem::take(&mut *self.registered());
        for registration in rest.into_values() {
            // A server that sends webhooks to a dead address does not affect the next trial.
            let _ = self.inner.remove(registration).await;
        }
    }

    fn registered(&self) -> std::sync::MutexGuard<'_, HashMap<String, Registration>> {
        self.registered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, registration: &Registration) -> Option<usize> {
        self.numbers().get(registration.id.as_ref()?).copied()
    }

    fn numbers(&self) -> std::sync::MutexGuard<'_, HashMap<String, usize>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the registration that the caller is shown.
fn told(made: Registration, deviation: Option<Deviation>) -> Registration {
    match deviation {
        Some(Deviation::OtherSecret(secret)) => Registration { secret: Some(secret), ..made },
        _ => made,
    }
}

impl HookRegistrar for FaultyRegistrar {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        self.create(url, false).boxed()
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        async move {
            if self.server.deviation(Call::Remove) == Some(Deviation::OnlyClaimed) {
                if let Some(number) = self.number(&registration) {
                    self.server.relay().mark_removed(number);
                }
                return Ok(());
            }
            // A registration that was only claimed cannot be removed.
            let is_only_said = registration.id.as_ref().is_some_and(|id| id.starts_with("only-said-"));
            if is_only_said {
                return Ok(());
            }
            if let Some(id) = &registration.id {
                self.registered().remove(id);
            }
            self.inner.remove(registration).await
        }
        .boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        self.inner.offers(ability)
    }

    fn register_leads(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        self.create(url, true).boxed()
    }

    fn rotate(&self, registration: Registration) -> BoxFuture<'_, Result<Registration, String>> {
        async move {
            let number = self.number(&registration);
            let deviation = self.server.deviation(Call::Rotate);
            let rotated = self.inner.rotate(registration).await?;
            if let (Some(number), Some(secret)) = (number, &rotated.secret) {
                self.server.relay().learn_secret(number, secret);
            }
            Ok(told(rotated, deviation))
        }
        .boxed()
    }

    fn redeliver(&self, registration: Registration, event: String) -> BoxFuture<'_, Result<(), String>> {
        async move {
            match self.server.deviation(Call::Redeliver) {
                Some(Deviation::OnlyClaimed) => Ok(()),
                _ => self.inner.redeliver(registration, event).await,
            }
        }
        .boxed()
    }
}
