//! Resolves host names for hooks. Refuses a name if any of its addresses is not allowed. The connection uses exactly the checked
//! addresses, so the name cannot change in between.

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

/// Maximum time to resolve a name.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(2);

/// Finds the addresses of a host name.
#[async_trait]
pub trait Lookup: Send + Sync + fmt::Debug {
    /// Returns all current addresses of `name`.
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

/// Resolver that applies an [`AddressPolicy`].
#[derive(Debug, Clone)]
pub(super) struct VettedResolver {
    pub(super) policy: AddressPolicy,
    pub(super) allowed: AllowedAddresses,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// Why a name has no usable address.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveError {
    /// One of its addresses is not allowed.
    #[error(transparent)]
    Refused(#[from] AddressError),
    /// The name could not be resolved.
    #[error("the name cannot be resolved")]
    Unknown(#[from] io::Error),
    /// Name resolution took too long.
    #[error("resolving the name timed out")]
    TimedOut,
}

impl VettedResolver {
    /// Returns the addresses of `name` if all are allowed. Any of them may be used to connect, so one forbidden address refuses the
    /// name.
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

/// Logs a refused address for the operator, with the option that would allow it.
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
