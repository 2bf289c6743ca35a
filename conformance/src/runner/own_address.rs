//! Finds the addresses from which the suite reaches a host, to recognise the suite's own address as a visitor.
//!
//! Sends nothing: a connected UDP socket knows its own address. Behind NAT the target sees another one.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tokio::net::{UdpSocket, lookup_host};
use url::Url;

/// Returns the suite's own addresses towards the hosts of `urls`. Skips hosts that cannot be reached.
pub(super) async fn own_addresses(urls: &[&str]) -> BTreeSet<IpAddr> {
    let mut own = BTreeSet::new();
    for url in urls.iter().filter_map(|url| Url::parse(url).ok()) {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = url.port_or_known_default().unwrap_or(80);
        let Ok(addresses) = lookup_host((host, port)).await else { continue };
        for address in addresses {
            own.extend(towards(address).await);
        }
    }
    own
}

async fn towards(address: std::net::SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await.ok()?;
    socket.connect(address).await.ok()?;
    Some(socket.local_addr().ok()?.ip().to_canonical())
}
