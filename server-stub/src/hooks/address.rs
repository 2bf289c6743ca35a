//! Which addresses a hook may be sent to, so that nobody reaches the inside of the operator's network through it. Names
//! are resolved in `resolver`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The longest URL of an endpoint, bytes (CONTRACT 1.9).
const MAX_URL_LENGTH: usize = 2048;

/// Why a URL was refused. No message names a resolved address: that would tell about the network inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not an absolute URL, or too long.
    #[error("the address must be an absolute URL of at most 2048 characters")]
    Malformed,
    /// Another scheme than https.
    #[error("the address must begin with https://")]
    Scheme,
    /// User name or password.
    #[error("the address must not contain a user name or password")]
    Credentials,
    /// `#…`.
    #[error("the address must not contain a fragment")]
    Fragment,
    /// A port of another service.
    #[error("the port must be 443, 8443 or at least 1024")]
    Port,
    /// An address that is not public.
    #[error("the destination is not allowed")]
    Forbidden,
}

/// The rules for destinations. They hold when an endpoint is registered and again for every connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressPolicy {
    is_loopback_allowed: bool,
}

impl AddressPolicy {
    /// Only https and only public addresses.
    pub const fn public_only() -> Self {
        Self { is_loopback_allowed: false }
    }

    /// This machine too, also with plain http: for trying out and for tests.
    pub const fn allow_loopback() -> Self {
        Self { is_loopback_allowed: true }
    }

    /// Checks a URL as far as can be told without resolving its host.
    pub fn check_url(&self, text: &str) -> Result<Url, AddressError> {
        if text.len() > MAX_URL_LENGTH {
            return Err(AddressError::Malformed);
        }
        let url = Url::parse(text).map_err(|_| AddressError::Malformed)?;
        let (is_loopback, literal) = match url.host() {
            None => return Err(AddressError::Malformed),
            Some(Host::Domain(name)) => (name == "localhost" || name == "localhost.", None),
            Some(Host::Ipv4(address)) => (address.is_loopback(), Some(IpAddr::V4(address))),
            Some(Host::Ipv6(address)) => (address.is_loopback(), Some(IpAddr::V6(address))),
        };
        let is_plain_allowed = self.is_loopback_allowed && is_loopback;
        match url.scheme() {
            "https" => {}
            "http" if is_plain_allowed => {}
            _ => return Err(AddressError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        match url.port_or_known_default() {
            Some(443 | 8443 | 1024..) => {}
            Some(80) if url.scheme() == "http" => {}
            _ => return Err(AddressError::Port),
        }
        if (is_loopback && !self.is_loopback_allowed) || literal.is_some_and(|address| !self.allows(address)) {
            return Err(AddressError::Forbidden);
        }
        Ok(url)
    }

    /// Whether a connection to `address` may be made.
    pub fn allows(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(v4) => is_public_v4(v4) || (self.is_loopback_allowed && v4.is_loopback()),
            IpAddr::V6(v6) => is_public_v6(v6) || (self.is_loopback_allowed && v6.is_loopback()),
        }
    }
}

/// Not in the registries of special-purpose addresses (RFC 6890), nor a cloud's own service address.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    let is_special = matches!(
        (a, b, c, d),
        (0 | 10 | 127 | 224..=255, ..)
            | (100, 64..=127, ..)
            | (169, 254, ..)
            | (172, 16..=31, ..)
            | (192, 0, 0 | 2, _)
            | (192, 88, 99, _)
            | (192, 168, ..)
            | (198, 18 | 19, ..)
            | (198, 51, 100, _)
            | (203, 0, 113, _)
            // Answers inside every Azure machine, though the address is a public one.
            | (168, 63, 129, 16)
    );
    !is_special
}

/// Global unicast (`2000::/3`) without the parts that are documentation or carry an IPv4 address inside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global_unicast = first & 0xE000 == 0x2000;
    let is_special = match first {
        // 2001::/23 (Teredo, ORCHID and others) and 2001:db8::/32.
        0x2001 => second < 0x0200 || second == 0x0DB8,
        // 6to4.
        0x2002 => true,
        // 3fff::/20.
        0x3FFF => second < 0x1000,
        _ => false,
    };
    is_global_unicast && !is_special
}
