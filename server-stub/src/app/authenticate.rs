//! Identifies callers: by the secret of an API key, which `http` reads from the request, and by their address.

use std::net::{IpAddr, Ipv6Addr};

use subtle::ConstantTimeEq as _;

use super::{App, Error};
use crate::domain::key::{ApiScope, KeyQuotas, Secret, SecretHash};
use crate::domain::visibility::Visibility;

/// An accepted key and its rights.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `key_…`, for logs and quotas.
    pub key_id: String,
    /// The account, and the websites the key is restricted to.
    pub visibility: Visibility,
    /// Quotas of this key.
    pub quotas: KeyQuotas,
    scopes: Vec<ApiScope>,
}

impl Caller {
    /// Returns an error if the key lacks `scope`.
    pub fn require(&self, scope: ApiScope) -> Result<(), Error> {
        if self.scopes.contains(&scope) { Ok(()) } else { Err(Error::InsufficientScope(scope)) }
    }
}

impl App {
    /// Returns the caller with this secret. Reads the store at every call, so that a revocation takes effect with the next request.
    pub async fn authenticate(&self, secret: &str) -> Result<Caller, Error> {
        let secret = Secret::parse(secret).ok_or(Error::InvalidCredentials)?;
        let hash = SecretHash::of(secret.reveal());
        let key = self.store.find_key(hash).await?.ok_or(Error::InvalidCredentials)?;
        let is_same = bool::from(key.secret_hash.0.ct_eq(&hash.0));
        let now = self.clock.wall();
        if !is_same || !key.is_live(now) {
            return Err(Error::InvalidCredentials);
        }
        self.key_uses.note(&key.id, now);
        Ok(Caller {
            key_id: key.id,
            visibility: Visibility { account_id: key.account_id, website_ids: key.website_ids },
            quotas: key.quotas,
            scopes: key.scopes,
        })
    }
}

/// Address of the client that sent a request. Behind a reverse proxy that is not trusted, it is the address of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// Networks that an IPv6 address is counted in, smallest first: bits of the prefix, and the multiple of the limit of one address. The
/// last 64 bits identify a device (RFC 4291, 2.5.4). A provider gives a site a whole /56 or /48 (RFC 6177).
const NETWORKS: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 16)];

impl Peer {
    /// Returns the networks that the client is counted in, smallest first, each with the multiple of the limit of one client.
    pub fn networks(self) -> Vec<(String, u32)> {
        let network = |address: Ipv6Addr, bits: u32| Ipv6Addr::from_bits(address.to_bits() & !0 << (128 - bits));
        match self.0.to_canonical() {
            IpAddr::V4(address) => vec![(address.to_string(), 1)],
            IpAddr::V6(address) => {
                NETWORKS.map(|(bits, multiple)| (format!("{}/{bits}", network(address, bits)), multiple)).into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv4_counts_by_address_and_ipv6_by_networks() {
        let of = |text: &str| Peer(text.parse().unwrap()).networks();
        let networks = ["2001:db8:1:203::/64", "2001:db8:1:200::/56", "2001:db8:1::/48"].map(str::to_owned);
        assert_eq!(of("2001:db8:1:203::4"), networks.into_iter().zip([1, 4, 16]).collect::<Vec<_>>());
        assert_eq!(of("::ffff:192.0.2.1"), [("192.0.2.1".to_owned(), 1)]);
    }
}
