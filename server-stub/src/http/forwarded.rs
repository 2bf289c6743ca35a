//! Finds the client address of a request that came through a proxy.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// Each proxy appends the address that its request came from.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns true if the address belongs to a trusted proxy.
pub(super) fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address.to_canonical()))
}

/// Returns the address of the client: the peer of the connection, unless this is a trusted proxy. Then it is the last address
/// in `X-Forwarded-For` that is not a trusted proxy. A client may have invented everything before it, in any bytes.
pub(super) fn client(connection: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let lines = headers.get_all(X_FORWARDED_FOR).into_iter().rev();
    let entries = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    let mut client = connection.to_canonical();
    for entry in entries {
        // An entry that is not an address ends the search: entries before it cannot be trusted.
        match address(entry) {
            Some(address) if is_trusted(client, trusted) => client = address,
            _ => break,
        }
    }
    client
}

/// Parses an address. Some proxies add brackets or a port.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(entry).ok()?.trim_matches([' ', '\t']);
    let address = match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().ok()?.into(),
        None => text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))?,
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

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

    #[test]
    fn what_is_almost_an_address_is_none() {
        for entry in
            ["[198.51.100.7]", "[[2001:db8::7]]", "[2001:db8::7", "2001:db8::7]", "[2001:db8::7]:", "198.51.100.7:x"]
        {
            assert_eq!(client_of("fd00::1", &[entry]), "fd00::1", "{entry}");
        }
        assert_eq!(client_of("fd00::1", &["::ffff:198.51.100.7"]), "198.51.100.7");
    }

    proptest! {
        #[test]
        fn whatever_a_client_sends_it_is_known_by_the_address_that_the_proxy_appended(
            sent in prop::collection::vec(prop::collection::vec(prop_oneof![Just(b'\t'), b' '..=b'~', 0x80..=0xFF_u8], 0..40), 0..4),
            is_same_line: bool,
            form in prop::sample::select(vec!["198.51.100.7", "198.51.100.7:4711", "2001:db8::7", "[2001:db8::7]:4711", "[2001:db8::7]"]),
        ) {
            let mut lines = sent;
            match lines.last_mut().filter(|_| is_same_line) {
                Some(last) => last.extend(format!(", {form}").into_bytes()),
                None => lines.push(form.as_bytes().to_vec()),
            }
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(X_FORWARDED_FOR, HeaderValue::from_bytes(&line).unwrap());
            }
            let trusted: IpNet = "127.0.0.0/8".parse().unwrap();
            let found = client("127.0.0.1".parse().unwrap(), &headers, &[trusted]).to_string();
            prop_assert_eq!(&found, if form.contains('.') { "198.51.100.7" } else { "2001:db8::7" });
        }
    }
}
