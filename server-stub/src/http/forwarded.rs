//! Who sent a request that came through a proxy.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// What proxies write, each the address that it was asked from behind those that were there.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the client: that of the connection, unless a trusted proxy has opened it. Then it is the last one in
/// `X-Forwarded-For` that is none of theirs, since a client may have written whatever stands before it.
pub(super) fn client(connection: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(&address.to_canonical()));
    let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).iter().collect();
    let mut client = connection;
    for line in lines.iter().rev() {
        for entry in line.to_str().unwrap_or_default().rsplit(',') {
            if !is_trusted(&client) {
                return client;
            }
            // What is no address tells nothing of who is before it.
            let Some(address) = address(entry.trim()) else { return client };
            client = address;
        }
    }
    client
}

/// An address, which some proxies write with a port.
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
