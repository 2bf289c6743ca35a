//! Reserves a local port for a process that starts later, and perhaps more than once.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context as _, Result};
use tokio::net::TcpSocket;

/// A port that the system gives to no other program while this value exists.
///
/// A socket is bound to the port and never listens, so connections are refused. On Linux a process can still listen there if it sets
/// `SO_REUSEADDR`, as servers do. Other systems would refuse that, so there the port is not reserved.
#[derive(Debug)]
pub(crate) struct ReservedPort {
    address: SocketAddr,
    _bound: Option<TcpSocket>,
}

impl ReservedPort {
    /// Reserves a free port.
    pub(crate) fn new() -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).context("no port is free")?;
        let address = socket.local_addr()?;
        Ok(Self { address, _bound: cfg!(target_os = "linux").then_some(socket) })
    }

    /// Returns the address on this machine.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn a_server_can_listen_at_a_reserved_port_again_and_again_and_nobody_else_is_given_it() {
        let reserved = ReservedPort::new().unwrap();
        let address = reserved.address();
        for _ in 0..3 {
            // The system gives a port that cannot be bound without SO_REUSEADDR to no other program.
            if cfg!(target_os = "linux") {
                assert!(TcpSocket::new_v4().unwrap().bind(address).is_err());
            }
            assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
            let listener = TcpListener::bind(address).await.unwrap();
            let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
            // The server closes first, like a killed server: its side of the connection lingers at the port.
            drop((accepted.unwrap(), listener));
            drop(client.unwrap());
        }
    }
}
