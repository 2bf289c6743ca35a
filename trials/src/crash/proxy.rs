//! A TCP proxy between the server and its database. It can cut all connections, so that the database seems unavailable.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context as _, Result};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The running proxy; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    is_cut: watch::Sender<bool>,
    _listening: JoinSet<()>,
}

impl Proxy {
    /// Forwards connections to `target`, a host and a port.
    pub(super) async fn start(target: String) -> Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port is free for the proxy")?;
        let address = socket.local_addr()?;
        let (is_cut, watched) = watch::channel(false);
        let mut listening = JoinSet::new();
        listening.spawn(listen(socket, target, watched));
        Ok(Self { address, is_cut, _listening: listening })
    }

    /// Returns the address at which the proxy listens.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks all connections and refuses new ones, or accepts them again.
    pub(super) fn cut(&self, is_cut: bool) {
        self.is_cut.send_replace(is_cut);
    }
}

async fn listen(socket: TcpListener, target: String, is_cut: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = socket.accept().await {
        connections.spawn(pass(stream, target.clone(), is_cut.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn pass(mut near: TcpStream, target: String, mut is_cut: watch::Receiver<bool>) {
    if *is_cut.borrow() {
        return;
    }
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = is_cut.wait_for(|is_cut| *is_cut) => {}
    }
}
