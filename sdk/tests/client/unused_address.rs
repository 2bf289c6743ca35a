//! An address of this machine on which nothing listens.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// An address that refuses connections. Its port is reserved while this lives: no other process can take it and listen.
pub(crate) struct UnusedAddress {
    pub(crate) url: String,
    _reserved: TcpSocket,
}

impl UnusedAddress {
    pub(crate) fn reserve() -> Self {
        let reserved = TcpSocket::new_v4().expect("a socket can be made");
        reserved.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a loopback port is free");
        let address = reserved.local_addr().expect("a bound socket has an address");
        Self { url: format!("http://{address}"), _reserved: reserved }
    }
}
