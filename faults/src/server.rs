//! A server with faults: any server, an edge in front of it, and a proxy behind its hooks.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::catalogue::Fault;
use crate::edge::{self, Proxy, Upstream, UpstreamError};
use crate::hooks::{self, Call, Deviation, Relay};
use crate::memory::{Enabled, Memory, World};

/// Why there is no server with faults.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The server behind it.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
    /// An address to listen on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: String,
        /// Why not.
        source: std::io::Error,
    },
}

/// A server with faults. It ends when this is dropped; the server behind it goes on.
#[derive(Debug)]
pub struct FaultyServer {
    base_url: String,
    proxy: Proxy,
    relay: Relay,
    world: World,
    enabled: Mutex<Vec<(Fault, Arc<Enabled>)>>,
    _tasks: (JoinSet<()>, JoinSet<()>),
}

impl FaultyServer {
    /// Starts one on free loopback ports, in front of the server at `upstream`.
    ///
    /// # Errors
    /// When `upstream` is no address of a server or no port is free.
    pub async fn start(upstream: &str) -> Result<Self, StartError> {
        Self::listen(upstream, "127.0.0.1:0", "127.0.0.1:0").await
    }

    /// Starts one that takes requests at `address` and hooks at `hooks_address`; port 0 takes any free one.
    ///
    /// # Errors
    /// When `upstream` is no address of a server or nothing can listen on an address.
    pub async fn listen(upstream: &str, address: &str, hooks_address: &str) -> Result<Self, StartError> {
        let upstream = Upstream::new(upstream)?;
        let failed = |address: &str| {
            let address = address.to_owned();
            move |source| StartError::Listen { address, source }
        };
        let listener = TcpListener::bind(address).await.map_err(failed(address))?;
        let own = listener.local_addr().map_err(failed(address))?;
        let (relay, relaying) = Relay::start(hooks_address).await.map_err(failed(hooks_address))?;
        let origin = format!("http://{own}");
        let base_url = format!("{origin}{}", upstream.base_path());
        let world = World::default();
        let proxy = Proxy::new(upstream, &origin, world.clone(), relay.clone());
        let mut serving = JoinSet::new();
        serving.spawn(proxy.clone().serve(listener));
        Ok(Self { base_url, proxy, relay, world, enabled: Mutex::default(), _tasks: (serving, relaying) })
    }

    /// Where it takes requests.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The proxy of its hooks.
    pub fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Gives it a fault, as the one closest to the server. Nothing happens when it has it.
    pub fn enable(&self, fault: Fault) {
        let mut all = self.lock();
        if all.iter().any(|(other, _)| other.name == fault.name) {
            return;
        }
        all.push((fault, Arc::new(Enabled::new(fault.name, Memory::new(self.world.clone())))));
        self.set_layers(&all);
    }

    /// Takes a fault from it with what the fault remembers; whether it had it.
    pub fn disable(&self, name: &str) -> bool {
        let mut all = self.lock();
        let before = all.len();
        all.retain(|(fault, _)| fault.name != name);
        self.set_layers(&all);
        all.len() < before
    }

    /// The faults that it has, with how many exchanges and deliveries each of them spoiled.
    pub fn enabled(&self) -> Vec<(&'static str, u64)> {
        self.lock().iter().map(|(fault, enabled)| (fault.name, enabled.spoiled())).collect()
    }

    /// What the first enabled fault does instead of this registration call.
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
        self.relay.set_layers(hooks.collect());
    }
}
