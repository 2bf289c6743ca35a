//! Identifies callers: by the secret of an API key, which `http` reads from the request, and by their address.

use std::net::IpAddr;

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

impl Peer {
    /// Returns the network that is counted as one visitor: the IPv4 address, or the first 64 bits of an IPv6 address, because
    /// one customer has all addresses of such a network.
    pub fn network(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{:x?}", &address.segments()[..4]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv4_counts_by_address_and_ipv6_by_network() {
        let of = |text: &str| Peer(text.parse().unwrap()).network();
        assert_eq!(of("2001:db8::1"), of("2001:db8::2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
    }
}
