//! Resolves host names for hooks and refuses a name that leads to any address that is not allowed. The connection is then
//! made to exactly the addresses that were checked, so a name cannot change in between.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;
use tokio::time::timeout;

use super::address::{AddressError, AddressPolicy, AllowedAddresses};

/// How long resolving may take.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(2);

/// Finds the addresses of a host name.
#[async_trait]
pub trait Lookup: Send + Sync + fmt::Debug {
    /// All addresses of `name` now.
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// A resolver behind an [`AddressPolicy`].
#[derive(Debug, Clone)]
pub(super) struct VettedResolver {
    pub(super) policy: AddressPolicy,
    pub(super) allowed: AllowedAddresses,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// Why a name gave no address.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveError {
    /// One of its addresses is not allowed.
    #[error(transparent)]
    Refused(#[from] AddressError),
    /// It has no known address.
    #[error("the name cannot be resolved")]
    Unknown(#[from] io::Error),
    /// Resolving took too long.
    #[error("resolving the name timed out")]
    TimedOut,
}

impl VettedResolver {
    /// The addresses of `name`, if every one is allowed. Any of them may be used to connect, so one that is not refuses all.
    pub(super) async fn vet(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError> {
        let found = timeout(RESOLVE_TIMEOUT, self.lookup.lookup(name)).await.map_err(|_| ResolveError::TimedOut)??;
        match found.iter().find(|address| !self.policy.allows(**address, self.allowed)) {
            None => Ok(found),
            Some(address) => {
                log_refused_address(*address);
                Err(ResolveError::Refused(AddressError::Forbidden))
            }
        }
    }
}

/// Logs for the operator what was refused, and which option allows it.
pub(super) fn log_refused_address(address: IpAddr) {
    tracing::info!(
        "the destination of a webhook is not allowed; to allow your own network, start the server with --hook-allow-cidr"
    );
    tracing::debug!(%address, "this address is not allowed for hooks");
}

impl Resolve for VettedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.vet(name.as_str()).await?;
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
