//! Finds the client address of a request that came through a proxy.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// Each proxy appends the address that its request came from.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the address of the client: the peer of the connection, unless this is a trusted proxy. Then it is the last address
/// in `X-Forwarded-For` that is not a trusted proxy. A client may have invented everything before it.
pub(super) fn client(connection: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(&address.to_canonical()));
    let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).iter().collect();
    let mut client = connection;
    for line in lines.iter().rev() {
        for entry in line.to_str().unwrap_or_default().rsplit(',') {
            if !is_trusted(&client) {
                return client;
            }
            // An entry that is not an address ends the search: entries before it cannot be trusted.
            let Some(address) = address(entry.trim()) else { return client };
            client = address;
        }
    }
    client
}

/// Parses an address. Some proxies add a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client_of(connection: &str, lines: &[&str]) -> String {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        client(connection.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        assert_eq!(client_of("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(client_of("127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client_of("::ffff:127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client_of("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn what_the_client_wrote_itself_is_not_believed() {
        assert_eq!(client_of("127.0.0.1", &["203.0.113.9, 198.51.100.7, 10.0.0.2"]), "198.51.100.7");
        assert_eq!(client_of("127.0.0.1", &["203.0.113.9", "198.51.100.7"]), "198.51.100.7");
        assert_eq!(client_of("127.0.0.1", &["203.0.113.9, unknown"]), "127.0.0.1");
        assert_eq!(client_of("127.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3", "a client inside");
    }

    #[test]
    fn addresses_are_read_with_ports_and_brackets() {
        assert_eq!(client_of("fd00::1", &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(client_of("fd00::1", &["[2001:db8::7]:4711"]), "2001:db8::7");
        assert_eq!(client_of("fd00::1", &["[2001:db8::7]"]), "2001:db8::7");
    }
}
