//! Resolves host names for hooks and refuses a name that leads to any address that is not allowed. The connection is then
//! made to exactly the addresses that were checked, so a name cannot change in between.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;
use tokio::time::timeout;

use super::address::{AddressError, AddressPolicy};

/// How long resolving may take.
const RESOLVING: Duration = Duration::from_secs(2);

/// The system's resolver behind an [`AddressPolicy`].
#[derive(Debug, Clone, Copy)]
pub(super) struct VettedResolver {
    pub(super) policy: AddressPolicy,
}

impl Resolve for VettedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.policy;
        Box::pin(async move {
            let found: Vec<SocketAddr> = timeout(RESOLVING, lookup_host((name.as_str(), 0))).await??.collect();
            if found.iter().all(|address| policy.allows(address.ip())) {
                Ok(Box::new(found.into_iter()) as Addrs)
            } else {
                Err(AddressError::Forbidden.into())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::*;

    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_and_allowed_only_where_that_is() {
        let resolve = async |policy| VettedResolver { policy }.resolve(Name::from_str("localhost").unwrap()).await;
        let refused = resolve(AddressPolicy::public_only()).await.err().unwrap();
        assert_eq!(refused.to_string(), "the destination is not allowed");
        let found: Vec<_> = resolve(AddressPolicy::allow_loopback()).await.unwrap().collect();
        assert!(!found.is_empty() && found.iter().all(|address| address.ip().is_loopback()));
    }
}
