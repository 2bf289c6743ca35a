//! Address of the client at the other end of a connection.

use std::net::IpAddr;

/// Address that a request came from. Behind a reverse proxy, it is the address of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// Returns the network that is counted as one visitor: the IPv4 address, or the first 64 bits of an IPv6 address, because one
    /// customer has all addresses of such a network.
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
