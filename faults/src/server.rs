//! A server with faults: any server, a proxy in front of it, and a proxy for its webhooks.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::catalogue::Fault;
use crate::edge::{self, Proxy, Upstream, UpstreamError};
use crate::hooks::{self, Call, Deviation, Listener, Relay};
use crate::memory::{Enabled, Memory, World};

/// Error in starting a server with faults.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Address of the server behind the proxy.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
    /// Address to listen on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Address.
        address: String,
        /// Cause.
        source: std::io::Error,
    },
}

/// A server with faults. It ends when this is dropped; the server behind it continues.
#[derive(Debug)]
pub struct FaultyServer {
    base_url: String,
    proxy: Proxy,
    hooks: Listener,
    world: World,
    enabled: Mutex<Vec<(Fault, Arc<Enabled>)>>,
    _tasks: (JoinSet<()>, JoinSet<()>),
}

impl FaultyServer {
    /// Starts a server with faults on free loopback ports, in front of the server at `upstream`.
    ///
    /// # Errors
    /// When `upstream` is not an address of a server or no port is free.
    pub async fn start(upstream: &str) -> Result<Self, StartError> {
        Self::listen(upstream, "127.0.0.1:0", "127.0.0.1:0").await
    }

    /// Starts a server with faults that accepts requests at `address` and webhooks at `hooks_address`; port 0 takes any
    /// free one.
    ///
    /// # Errors
    /// When `upstream` is not an address of a server or listening on an address fails.
    pub async fn listen(upstream: &str, address: &str, hooks_address: &str) -> Result<Self, StartError> {
        let upstream = Upstream::new(upstream)?;
        let failed = |address: &str| {
            let address = address.to_owned();
            move |source| StartError::Listen { address, source }
        };
        let listener = TcpListener::bind(address).await.map_err(failed(address))?;
        let own = listener.local_addr().map_err(failed(address))?;
        let (hooks, relaying) = Listener::start(hooks_address).await.map_err(failed(hooks_address))?;
        let origin = format!("http://{own}");
        let base_url = format!("{origin}{}", upstream.base_path());
        let world = World::default();
        let proxy = Proxy::new(upstream, &origin, world.clone(), hooks.relay().clone());
        let mut serving = JoinSet::new();
        serving.spawn(proxy.clone().serve(listener));
        Ok(Self { base_url, proxy, hooks, world, enabled: Mutex::default(), _tasks: (serving, relaying) })
    }

    /// Returns the base URL for requests.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns the proxy for webhooks.
    pub fn relay(&self) -> &Relay {
        self.hooks.relay()
    }

    /// Enables a fault, as the one closest to the server. Does nothing if it is already enabled.
    pub fn enable(&self, fault: Fault) {
        let mut all = self.lock();
        if all.iter().any(|(other, _)| other.name == fault.name) {
            return;
        }
        all.push((fault, Arc::new(Enabled::new(fault.name, Memory::new(self.world.clone())))));
        self.set_layers(&all);
    }

    /// Disables a fault and drops its memory. Returns true if it was enabled.
    pub fn disable(&self, name: &str) -> bool {
        let mut all = self.lock();
        let before = all.len();
        all.retain(|(fault, _)| fault.name != name);
        self.set_layers(&all);
        all.len() < before
    }

    /// Returns the enabled faults, with the number of exchanges and deliveries that each changed.
    pub fn enabled(&self) -> Vec<(&'static str, u64)> {
        self.lock().iter().map(|(fault, enabled)| (fault.name, enabled.spoiled())).collect()
    }

    /// Returns the change that the first such fault makes to this registration call.
    pub fn deviation(&self, call: Call<'_>) -> Option<Deviation> {
        let all = self.lock();
        let mut found = all.iter().filter_map(|(fault, enabled)| Some((fault.hooks.registrar?(call)?, enabled)));
        let (deviation, enabled) = found.next()?;
        enabled.count_as_spoiled("registrar", "call");
        Some(deviation)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Fault, Arc<Enabled>)>> {
        self.enabled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_layers(&self, all: &[(Fault, Arc<Enabled>)]) {
        let exchanges = all.iter().filter(|(fault, _)| fault.edge.is_used());
        let edges = exchanges.map(|(fault, enabled)| edge::Layer { enabled: Arc::clone(enabled), seams: fault.edge });
        self.proxy.set_layers(edges.collect());
        let deliveries = all.iter().filter(|(fault, _)| fault.hooks.is_used());
        let hooks =
            deliveries.map(|(fault, enabled)| hooks::Layer { enabled: Arc::clone(enabled), seams: fault.hooks });
        self.hooks.set_layers(hooks.collect());
    }
}
