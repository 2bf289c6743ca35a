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

#[cfg(test)]
mod tests {
    use super::*;

    /// Hosts, in every spelling that a URL allows, that are not public.
    const INSIDE: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.1",
        "127.255.255.254",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.1",
        "0x7f.0x0.0x0.0x1",
        "127.0.1",
        "%31%32%37.0.0.1",
        "\u{ff11}27.0.0.1",
        "127\u{3002}0\u{3002}0\u{3002}1",
        "0",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "[::]",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::7f00:1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::1]",
        "[100::1]",
        "[2001::1]",
        "[2001:0:7f00:1::]",
        "[2001:10::1]",
        "[2001:1ff::1]",
        "[2001:db8::1]",
        "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::1]",
        "[3fff::1]",
        "[3fff:fff::1]",
        "[5f00::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[fec0::1]",
        "[ff02::1]",
    ];
    const OUTSIDE: &[&str] = &[
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.88.98.1",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "168.63.129.15",
        "[2001:200::1]",
        "[2606:4700::1111]",
        "[2003::1]",
        "[3ffe::1]",
        "[3fff:1000::1]",
        "example.org",
    ];

    #[test]
    fn no_spelling_of_an_inside_address_is_allowed() {
        for host in INSIDE {
            let outcome = AddressPolicy::public_only().check_url(&format!("https://{host}/in"));
            assert!(matches!(outcome, Err(AddressError::Forbidden | AddressError::Malformed)), "{host}: {outcome:?}");
        }
    }

    #[test]
    fn the_neighbours_of_inside_addresses_are_allowed() {
        for host in OUTSIDE {
            let outcome = AddressPolicy::public_only().check_url(&format!("https://{host}/in"));
            assert!(outcome.is_ok(), "{host}: {outcome:?}");
        }
    }

    #[test]
    fn loopback_is_allowed_for_trying_out_and_nothing_else_is() {
        let policy = AddressPolicy::allow_loopback();
        for url in ["http://127.0.0.1:9000/in", "http://localhost:9000/", "http://[::1]:9000/", "https://127.0.0.1/in"]
        {
            assert!(policy.check_url(url).is_ok(), "{url}");
        }
        assert_eq!(policy.check_url("http://example.org/"), Err(AddressError::Scheme));
        assert_eq!(policy.check_url("https://10.0.0.1/"), Err(AddressError::Forbidden));
        assert_eq!(policy.check_url("https://[::ffff:127.0.0.1]/"), Err(AddressError::Forbidden));
    }

    #[test]
    fn a_url_with_more_than_a_destination_is_refused() {
        let policy = AddressPolicy::public_only();
        for (url, expected) in [
            ("http://example.org/", AddressError::Scheme),
            ("ftp://example.org/", AddressError::Scheme),
            ("https://user@example.org/", AddressError::Credentials),
            ("https://user:word@example.org/", AddressError::Credentials),
            ("https://example.org/#part", AddressError::Fragment),
            ("https://example.org:22/", AddressError::Port),
            ("https://example.org:80/", AddressError::Port),
            ("/in", AddressError::Malformed),
            ("https://", AddressError::Malformed),
            ("data:text/plain,x", AddressError::Malformed),
        ] {
            assert_eq!(policy.check_url(url), Err(expected), "{url}");
        }
        let long = format!("https://example.org/{}", "a".repeat(2048));
        assert_eq!(policy.check_url(&long), Err(AddressError::Malformed));
        for url in ["https://example.org:8443/", "https://example.org:1024/?a=b", "https://b\u{fc}cher.example/"] {
            assert!(policy.check_url(url).is_ok(), "{url}");
        }
    }
}
