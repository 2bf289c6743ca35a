//! An address of this machine without a server.

use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// An address that refuses connections. Its port is reserved while this value exists: no other process can take it and listen.
pub(crate) struct UnusedAddress {
    pub(crate) address: SocketAddr,
    _reserved: TcpSocket,
}

impl UnusedAddress {
    pub(crate) fn reserve() -> Self {
        let reserved = TcpSocket::new_v4().unwrap();
        reserved.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { address: reserved.local_addr().unwrap(), _reserved: reserved }
    }
}
