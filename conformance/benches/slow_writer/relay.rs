//! A long way to the server: what it answers arrives later, at full speed.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Pieces of an answer that are on their way.
const ON_THE_WAY: usize = 1024;

/// Takes every connection of `listener` to `server`; answers arrive `later`.
pub(crate) async fn relay(listener: TcpListener, server: SocketAddr, later: Duration) -> Result<()> {
    let mut connections = JoinSet::new();
    loop {
        let (client, _) = listener.accept().await?;
        let server = TcpStream::connect(server).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        connections.spawn(carry(from_client, to_server, Duration::ZERO));
        connections.spawn(carry(from_server, to_client, later));
        while connections.try_join_next().is_some() {}
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, later: Duration) {
    let (send, mut on_the_way) = mpsc::channel::<(Instant, Vec<u8>)>(ON_THE_WAY);
    let take = async {
        let mut piece = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = from.read(&mut piece).await {
            if send.send((Instant::now() + later, piece[..length].to_vec())).await.is_err() {
                return;
            }
        }
        drop(send);
    };
    let bring = async {
        while let Some((due, piece)) = on_the_way.recv().await {
            tokio::time::sleep_until(due).await;
            if to.write_all(&piece).await.is_err() {
                return;
            }
        }
        // A peer that has already gone needs no farewell.
        let _ = to.shutdown().await;
    };
    tokio::join!(take, bring);
}
