//! Checks webhook destinations with the address policy and a resolver, at registration and at every delivery.

use std::sync::Arc;

use url::{Host, Url};

use super::address::{AddressError, AddressPolicy, AllowedAddresses, Destination};
use super::resolver::{Lookup, ResolveError, SystemLookup, VettedResolver, log_refused_address};

/// Checks destinations by an address policy and a resolver. Clones share both.
#[derive(Debug, Clone)]
pub struct DestinationChecker {
    policy: AddressPolicy,
    lookup: Arc<dyn Lookup>,
}

impl DestinationChecker {
    /// Creates a checker with `policy` and the system's resolver.
    pub fn new(policy: AddressPolicy) -> Self {
        Self { policy, lookup: Arc::new(SystemLookup::default()) }
    }

    /// Returns the checker with another resolver.
    #[must_use]
    pub fn with_lookup(self, lookup: Arc<dyn Lookup>) -> Self {
        Self { lookup, ..self }
    }

    /// Checks a URL for registration. A name that cannot be resolved now is accepted, because every delivery resolves it again.
    pub async fn check(&self, text: &str) -> Result<Url, AddressError> {
        let Destination { url, allowed } = self.check_url(text)?;
        if let Some(Host::Domain(name)) = url.host()
            && let Err(ResolveError::Refused(error)) = self.resolver(allowed).vet(name).await
        {
            return Err(error);
        }
        Ok(url)
    }

    /// Checks a URL without resolving its host.
    pub(super) fn check_url(&self, text: &str) -> Result<Destination, AddressError> {
        self.policy.check_url(text).inspect_err(|error| {
            let address = match Url::parse(text).ok().as_ref().and_then(Url::host) {
                Some(Host::Ipv4(address)) => address.into(),
                Some(Host::Ipv6(address)) => address.into(),
                _ => return,
            };
            if *error == AddressError::Forbidden {
                log_refused_address(address);
            }
        })
    }

    pub(super) fn resolver(&self, allowed: AllowedAddresses) -> VettedResolver {
        VettedResolver { policy: self.policy.clone(), allowed, lookup: Arc::clone(&self.lookup) }
    }
}
