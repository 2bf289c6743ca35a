//! Rules for webhook addresses. They protect the operator's network. See `resolver` for name resolution.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use url::{Host, Url};

/// Maximum length of an endpoint's URL, in bytes.
const MAX_URL_LENGTH: usize = 2048;

/// Why a URL was refused. Messages never contain a resolved address, which would reveal the operator's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The URL is not absolute, or it is too long.
    #[error("the address must be an absolute URL of at most 2048 characters")]
    Malformed,
    /// The scheme is not https.
    #[error("the address must begin with https://")]
    Scheme,
    /// The URL contains a user name or a password.
    #[error("the address must not contain a user name or password")]
    Credentials,
    /// The URL contains a fragment (`#…`).
    #[error("the address must not contain a fragment")]
    Fragment,
    /// The port is reserved for another service.
    #[error("the port must be 443, 8443 or at least 1024")]
    Port,
    /// The address is not public.
    #[error("the destination is not allowed")]
    Forbidden,
}

/// Set of addresses to which a destination's name may resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedAddresses {
    /// Public addresses and those in the operator's list.
    Public,
    /// Only addresses in the operator's list. Required for plain HTTP and unusual ports.
    Listed,
}

/// URL that passed all checks that need no name resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// Destination URL.
    pub url: Url,
    /// Addresses to which its name may resolve.
    pub allowed: AllowedAddresses,
}

/// Rules for destinations. They apply when an endpoint is registered and again for every connection. Clones share the operator's
/// list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressPolicy {
    listed: Arc<[IpNet]>,
}

impl AddressPolicy {
    /// Maximum number of entries in the operator's list.
    pub const MAX_LISTED: usize = 64;

    /// Allows only https and only public addresses.
    pub fn public_only() -> Self {
        Self::with_listed([])
    }

    /// Also allows this machine, with plain http too. For trials and tests.
    pub fn allow_loopback() -> Self {
        Self::with_listed(Self::loopback())
    }

    /// Also allows the addresses in `listed`, with plain http too and on any port.
    pub fn with_listed(listed: impl IntoIterator<Item = IpNet>) -> Self {
        Self { listed: listed.into_iter().collect() }
    }

    /// Returns the addresses of this machine.
    pub fn loopback() -> [IpNet; 2] {
        let v4 = Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8);
        [IpNet::V4(v4), IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128))]
    }

    /// Checks a URL without resolving its host.
    pub fn check_url(&self, text: &str) -> Result<Destination, AddressError> {
        if text.len() > MAX_URL_LENGTH {
            return Err(AddressError::Malformed);
        }
        let url = Url::parse(text).map_err(|_| AddressError::Malformed)?;
        let literal = match url.host() {
            None => return Err(AddressError::Malformed),
            Some(Host::Domain("localhost" | "localhost.")) => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            Some(Host::Domain(_)) => None,
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        };
        let may_be_listed = match literal {
            Some(address) => self.lists(address),
            // The name's addresses are checked when it is resolved. Loopback entries do not count: `localhost` is handled above.
            None => self.listed.iter().any(|net| !net.addr().is_loopback()),
        };
        match url.scheme() {
            "https" => {}
            "http" if may_be_listed => {}
            _ => return Err(AddressError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        let is_usual_port = match url.port_or_known_default() {
            Some(443 | 8443 | 1024..) => true,
            Some(1..) if may_be_listed => false,
            _ => return Err(AddressError::Port),
        };
        if literal.is_some_and(|address| !self.allows(address, AllowedAddresses::Public)) {
            return Err(AddressError::Forbidden);
        }
        let allowed =
            if url.scheme() == "https" && is_usual_port { AllowedAddresses::Public } else { AllowedAddresses::Listed };
        Ok(Destination { url, allowed })
    }

    /// Returns true if a connection to `address` is allowed.
    pub fn allows(&self, address: IpAddr, allowed: AllowedAddresses) -> bool {
        self.lists(address) || (allowed == AllowedAddresses::Public && is_public(address))
    }

    fn lists(&self, address: IpAddr) -> bool {
        self.listed.iter().any(|net| net.contains(&address))
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => reached_v4(v6).map_or_else(|| is_public_v6(v6), is_public_v4),
    }
}

/// Returns the IPv4 address that a connection to an IPv6 address reaches: of an IPv4-mapped address (RFC 4291, section 2.5.5.2), or
/// of the well-known prefix of NAT64 (RFC 6052). Resolvers in networks without IPv4 return the latter for every IPv4 host.
fn reached_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => {
            Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
        }
        _ => None,
    }
}

/// Returns true if the address is neither in the special-purpose registries (RFC 6890) nor a cloud's internal service address.
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
            // Azure's internal service address: reachable from inside every Azure machine, although it counts as public.
            | (168, 63, 129, 16)
    );
    !is_special
}

/// Returns true for global unicast (`2000::/3`), except ranges for documentation and ranges that embed the IPv4 address of a relay.
/// So it is false for local NAT64 (`64:ff9b:1::/48`, RFC 8215) and for IPv4-compatible addresses, too.
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
