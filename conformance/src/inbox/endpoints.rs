//! The receiver's addresses that are registered with the target, for one check or for the whole run.
//!
//! What arrives at them is in `log`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::registrar::{HookRegistrar, Registration};

/// What the path of a further endpoint holds, so that it is told from the one under test.
pub(crate) const ADDITIONAL: &str = "/further-";

/// Most further endpoints at a time: an account may have ten, and checks run beside each other.
const AT_ONCE: usize = 8;

/// A further endpoint of the receiver, registered for one check.
#[derive(Debug)]
pub struct Endpoint {
    /// Part of its path that no other endpoint's holds.
    pub path: String,
    /// What the registration gave.
    pub registration: Registration,
    /// Lets the next one be registered once this is gone.
    _place: Option<OwnedSemaphorePermit>,
}

impl Endpoint {
    /// What was registered at another address than the receiver's, to be removed.
    pub fn elsewhere(registration: Registration) -> Self {
        Self { path: String::new(), registration, _place: None }
    }
}

/// The addresses of one receiver and the way to register them.
#[derive(Debug)]
pub struct Endpoints {
    /// How the target reaches the receiver.
    pub url: String,
    /// How it reaches the receiver with TLS and a certificate that nobody vouches for, if it can.
    pub tls_url: Option<String>,
    /// How an address is registered, unless that is done by hand.
    pub registrar: Option<Arc<dyn HookRegistrar>>,
    /// How many further ones may be registered yet.
    pub places: Arc<Semaphore>,
    /// What was registered and not removed yet: a check that is cut short cannot tidy up after itself.
    open: Mutex<Vec<Registration>>,
    /// Every secret that a registration gave, so that none of them gets into a report.
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
    /// The addresses of a receiver, none of them registered yet.
    pub fn new(url: String, tls_url: Option<String>, registrar: Option<Arc<dyn HookRegistrar>>) -> Self {
        Self { url, tls_url, registrar, ..Self::default() }
    }

    /// Registers an endpoint of its own for one check.
    ///
    /// # Errors
    /// When nothing is configured that registers, or it fails; one clause.
    pub async fn register(&self, name: &str) -> Result<Endpoint, String> {
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.register_url(format!("{}{path}", self.url)).await?;
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// The same with TLS and a certificate that nobody vouches for.
    ///
    /// # Errors
    /// When the target does not reach the receiver directly, or registering fails; one clause.
    pub async fn register_tls(&self, name: &str) -> Result<Endpoint, String> {
        let url = self.tls_url.as_ref().ok_or_else(|| "the webhook receiver has no TLS address".to_owned())?;
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.register_url(format!("{url}{path}")).await?;
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// Registers an endpoint by plain http for leads only.
    ///
    /// # Errors
    /// When nothing is configured that registers so, or it fails; one clause.
    pub async fn register_leads(&self, name: &str) -> Result<Endpoint, String> {
        let path = format!("{ADDITIONAL}{name}");
        let place = self.place().await?;
        let registration = self.registrar()?.register_leads(format!("{}{path}", self.url)).await?;
        self.note(&registration);
        Ok(Endpoint { path, registration, _place: Some(place) })
    }

    /// Registers any URL; what the receiver does not listen at is not seen.
    ///
    /// # Errors
    /// When nothing is configured that registers, or it fails; one clause.
    pub async fn register_url(&self, url: String) -> Result<Registration, String> {
        let registration = self.registrar()?.register(url).await?;
        self.note(&registration);
        Ok(registration)
    }

    /// Gives an endpoint another secret.
    ///
    /// # Errors
    /// When nothing is configured that rotates, or it fails; one clause.
    pub async fn rotate(&self, endpoint: &Endpoint) -> Result<Registration, String> {
        let rotated = self.registrar()?.rotate(endpoint.registration.clone()).await?;
        self.keep_secret(&rotated);
        Ok(rotated)
    }

    /// Has the event with that `webhook-id` sent to an endpoint again.
    ///
    /// # Errors
    /// When nothing is configured that does, or it fails; one clause.
    pub async fn redeliver(&self, endpoint: &Endpoint, event: &str) -> Result<(), String> {
        self.registrar()?.redeliver(endpoint.registration.clone(), event.to_owned()).await
    }

    /// Waits until there is room for one more.
    async fn place(&self) -> Result<OwnedSemaphorePermit, String> {
        Arc::clone(&self.places).acquire_owned().await.map_err(|error| error.to_string())
    }

    fn registrar(&self) -> Result<&Arc<dyn HookRegistrar>, String> {
        self.registrar.as_ref().ok_or_else(|| "no command is configured that registers endpoints".to_owned())
    }

    /// Removes an endpoint that `register` made.
    ///
    /// # Errors
    /// When the target's owner's command fails; one clause.
    pub async fn remove(&self, endpoint: &Endpoint) -> Result<(), String> {
        self.take_back(endpoint.registration.clone()).await
    }

    /// Removes what a check or the run left registered. A registration that the target refuses to remove stays: why, one clause for
    /// each, because nothing is judged here.
    pub async fn remove_all(&self) -> Vec<String> {
        let left = std::mem::take(&mut *self.open());
        let mut stayed = Vec::new();
        for registration in left {
            stayed.extend(self.take_back(registration).await.err());
        }
        stayed
    }

    /// Every secret that a registration or a rotation gave.
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
