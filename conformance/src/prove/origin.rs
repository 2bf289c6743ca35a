//! The servers to which faults are added.

use std::sync::Arc;

use contentgen_faults::FaultyServer;
use contentgen_faults::catalogue::Fault;

use super::registrar::FaultyRegistrar;
#[cfg(feature = "reference")]
use crate::reference::Reference;
use crate::runner::{SetUpError, Target};

/// Source of healthy servers.
#[derive(Debug, Clone)]
pub enum Origin {
    /// The reference server, started for each trial.
    #[cfg(feature = "reference")]
    Reference,
    /// A running server that serves all trials. It is not restarted, its writer is not broken, and its clock is not moved: the
    /// other trials use it, too.
    Running(Box<Target>),
}

/// A server with a fault, or a healthy one behind the same proxies.
pub(super) struct Spoiled {
    /// The server as the suite sees it.
    pub(super) target: Target,
    faulty: Arc<FaultyServer>,
    registrar: Option<Arc<FaultyRegistrar>>,
    #[cfg(feature = "reference")]
    _reference: Option<Reference>,
}

impl Origin {
    /// Returns true if all trials share one server.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    /// Starts a server with `fault`, or without any fault.
    pub(super) async fn start(&self, fault: Option<Fault>) -> Result<Spoiled, SetUpError> {
        match self {
            #[cfg(feature = "reference")]
            Self::Reference => {
                let reference = Reference::start().await?;
                let target = reference.target();
                Spoiled::start(target, fault).await.map(|spoiled| Spoiled { _reference: Some(reference), ..spoiled })
            }
            Self::Running(target) => {
                let target = Target { clock: None, restarter: None, writer: None, ..Target::clone(target) };
                Spoiled::start(target, fault).await
            }
        }
    }
}

impl Spoiled {
    async fn start(mut target: Target, fault: Option<Fault>) -> Result<Self, SetUpError> {
        let listen = target.hooks.as_ref().map_or("127.0.0.1:0", |hooks| hooks.listen.as_str());
        let host = listen.rsplit_once(':').map_or(listen, |(host, _)| host);
        let faulty = FaultyServer::listen(&target.base_url, "127.0.0.1:0", &format!("{host}:0")).await;
        let faulty = Arc::new(faulty.map_err(|error| SetUpError::Configuration(described(&error)))?);
        if let Some(fault) = fault {
            faulty.enable(fault);
        }
        if let Some(capture) = &mut target.capture {
            capture.url = capture.url.replace(&target.base_url, "{base_url}");
        }
        faulty.base_url().clone_into(&mut target.base_url);
        let mut registrar = None;
        if let Some(hooks) = &mut target.hooks
            && hooks.is_direct()
            && let Some(inner) = hooks.registrar.take()
        {
            let spoiled = Arc::new(FaultyRegistrar::new(inner, Arc::clone(&faulty), &hooks.public_url));
            hooks.registrar = Some(Arc::<FaultyRegistrar>::clone(&spoiled));
            registrar = Some(spoiled);
        }
        Ok(Self {
            target,
            faulty,
            registrar,
            #[cfg(feature = "reference")]
            _reference: None,
        })
    }

    /// Removes the registrations: a server that keeps running would send webhooks to them.
    pub(super) async fn end(&self) {
        if let Some(registrar) = &self.registrar {
            registrar.remove_rest().await;
        }
    }

    /// Returns the number of exchanges and deliveries that the fault changed so far.
    pub(super) fn spoiled(&self) -> u64 {
        self.faulty.enabled().iter().map(|(_, spoiled)| spoiled).sum()
    }
}

fn described(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}
