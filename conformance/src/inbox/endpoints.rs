//! The receiver's addresses that are registered with the target, for one check or for the whole run.
//!
//! `log` contains the webhooks that arrive there.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::{BoxFuture, FutureExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Text in the path of a further endpoint, which distinguishes it from the one under test.
pub(crate) const ADDITIONAL: &str = "/further-";

/// Maximum number of simultaneous further endpoints: an account may have ten, and checks run in parallel.
const AT_ONCE: usize = 8;

/// A further endpoint of the receiver, registered for one check.
#[derive(Debug)]
pub struct Endpoint {
    /// Unique part of its path.
    pub path: String,
    /// The result of the registration.
    pub registration: Registration,
    /// Allows the next registration once this is dropped.
    _place: Option<OwnedSemaphorePermit>,
}

impl Endpoint {
    /// Returns an endpoint at an address that is not the receiver's, to be removed later.
    pub fn elsewhere(registration: Registration) -> Self {
        Self { path: String::new(), registration, _place: None }
    }
}

/// The addresses of one receiver, and the registrar for them.
#[derive(Debug)]
pub struct Endpoints {
    /// URL at which the target reaches the receiver.
    pub url: String,
    /// URL at which it reaches the receiver with TLS and an untrusted certificate, if it can.
    pub tls_url: Option<String>,
    /// Registers addresses; absent if that is done by hand.
    pub registrar: Option<Arc<dyn HookRegistrar>>,
    /// Number of further endpoints that may still be registered.
    pub places: Arc<Semaphore>,
    /// Registrations that were not removed yet. A check that is cut short cannot clean up.
    open: Mutex<Vec<Registration>>,
    /// Every secret of a registration, so that none appears in a report.
    secrets: Mutex<Vec<String>>,
}

impl Default for Endpoints {
    fn default() -> Self {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        Self {
            url: String::new(),
            tls_url: None,
            registrar: None,
            places,
            open: Mutex::default(),
            secrets: Mutex::default(),
        }
    }
}

impl Endpoints {
    /// Returns the addresses of a receiver without any registration.
    pub fn new(url: String, tls_url: Option<String>, registrar: Option<Arc<dyn HookRegistrar>>) -> Self {
        Self { url, tls_url, registrar, ..Self::default() }
    }

    /// Registers a separate endpoint for one check.
    ///
    /// # Errors
    /// Returns one clause if no registrar is configured, or it fails.
    pub async fn register(&self, name: &str) -> Result<Endpoint, String> {
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.register_url(format!("{}{path}", self.url)).await?;
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// Registers an endpoint with TLS and an untrusted certificate.
    ///
    /// # Errors
    /// Returns one clause if the target does not reach the receiver directly, or registration fails.
    pub async fn register_tls(&self, name: &str) -> Result<Endpoint, String> {
        let url = self.tls_url.as_ref().ok_or_else(|| "the webhook receiver has no TLS address".to_owned())?;
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.register_url(format!("{url}{path}")).await?;
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// Registers an endpoint with plain HTTP for leads only.
    ///
    /// # Errors
    /// Returns one clause if no such registrar is configured, or it fails.
    pub async fn register_leads(&self, name: &str) -> Result<Endpoint, String> {
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.registrar()?.register_leads(format!("{}{path}", self.url)).await?;
        self.note(&registration);
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// Registers any URL. Webhooks to URLs of other servers are not recorded.
    ///
    /// # Errors
    /// Returns one clause if no registrar is configured, or it fails.
    pub async fn register_url(&self, url: String) -> Result<Registration, String> {
        let registration = self.registrar()?.register(url).await?;
        self.note(&registration);
        Ok(registration)
    }

    /// Rotates the secret of an endpoint.
    ///
    /// # Errors
    /// Returns one clause if no command for it is configured, or it fails.
    pub async fn rotate(&self, endpoint: &Endpoint) -> Result<Registration, String> {
        let rotated = self.registrar()?.rotate(endpoint.registration.clone()).await?;
        self.keep_secret(&rotated);
        Ok(rotated)
    }

    /// Sends the event with that `webhook-id` to an endpoint again.
    ///
    /// # Errors
    /// Returns one clause if no command for it is configured, or it fails.
    pub async fn redeliver(&self, endpoint: &Endpoint, event: &str) -> Result<(), String> {
        self.registrar()?.redeliver(endpoint.registration.clone(), event.to_owned()).await
    }

    /// Waits until there is room for one more endpoint.
    async fn place(&self) -> Result<OwnedSemaphorePermit, String> {
        Arc::clone(&self.places).acquire_owned().await.map_err(|error| error.to_string())
    }

    fn registrar(&self) -> Result<&Arc<dyn HookRegistrar>, String> {
        self.registrar.as_ref().ok_or_else(|| "no command is configured that registers endpoints".to_owned())
    }

    /// Removes an endpoint that `register` created.
    ///
    /// # Errors
    /// Returns one clause if the configured command fails.
    pub async fn remove(&self, endpoint: &Endpoint) -> Result<(), String> {
        self.take_back(endpoint.registration.clone()).await
    }

    /// Removes all remaining registrations. Returns one clause for each registration that the target refuses to remove.
    /// This is not a finding.
    pub async fn remove_all(&self) -> Vec<String> {
        let left = std::mem::take(&mut *self.open());
        let mut stayed = Vec::new();
        for registration in left {
            stayed.extend(self.take_back(registration).await.err());
        }
        stayed
    }

    /// Returns every secret of a registration or a rotation.
    pub fn secrets(&self) -> Vec<String> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, registration: &Registration) {
        self.open().push(registration.clone());
        self.keep_secret(registration);
    }

    fn keep_secret(&self, registration: &Registration) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).extend(registration.secret.clone());
    }

    async fn take_back(&self, registration: Registration) -> Result<(), String> {
        self.registrar()?.remove(registration.clone()).await?;
        self.open().retain(|open| open.id != registration.id);
        Ok(())
    }

    fn open(&self) -> MutexGuard<'_, Vec<Registration>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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

/// Registers URLs with the target, which the API cannot do. The set-up provides an implementation: commands, or the administration
/// interface of a server in the same process. Every error is one clause.
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
