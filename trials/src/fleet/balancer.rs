//! A balancer in front of the API processes: each connection goes to the next one.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context as _, Result};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The running balancer; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Balancer {
    address: SocketAddr,
    _listening: JoinSet<()>,
}

impl Balancer {
    /// Starts a balancer in front of `targets`, which must not be empty. Requires a running runtime.
    pub(super) fn start(socket: TcpListener, targets: Vec<SocketAddr>) -> Result<Self> {
        let address = socket.local_addr().context("the socket of the balancer has no address")?;
        let mut listening = JoinSet::new();
        listening.spawn(listen(socket, targets));
        Ok(Self { address, _listening: listening })
    }

    /// Opens a socket for a balancer.
    pub(super) async fn socket() -> Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the balancer")
    }

    /// Returns the address at which the balancer listens.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn listen(socket: TcpListener, targets: Vec<SocketAddr>) {
    let mut connections = JoinSet::new();
    for target in targets.iter().cycle() {
        let Ok((mut near, _)) = socket.accept().await else { return };
        let target = *target;
        connections.spawn(async move {
            if let Ok(mut far) = TcpStream::connect(target).await {
                // Send small packets at once, in both directions.
                drop((near.set_nodelay(true), far.set_nodelay(true)));
                drop(copy_bidirectional(&mut near, &mut far).await);
            }
        });
        while connections.try_join_next().is_some() {}
    }
}
