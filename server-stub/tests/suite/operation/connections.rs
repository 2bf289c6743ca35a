//! Clients that keep connections: many of them, or without reading the responses.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use contentgen_server_stub::http::Deadlines;
use contentgen_server_stub::server::{Running, Settings, start};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use super::metrics::anywhere;
use super::raw_connection::get;
use crate::frozen_time::FrozenTime;
use crate::waiting::{ended, until};

const REQUEST: &[u8] = b"HEAD /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

fn settings(connections_per_client: u32) -> Settings {
    Settings { connections_per_client, is_worker: false, ..Settings::demo() }
}

/// Connects to the server from this address, with a small buffer for responses.
async fn connect(running: &Running, from: Ipv4Addr) -> TcpStream {
    let server: SocketAddr = running.base_url().unwrap().strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(server).await.unwrap()
}

/// Sends a request. Returns true if the server responds, false if it has closed the connection.
async fn is_served(stream: &mut TcpStream) -> bool {
    let exchange = async {
        stream.write_all(REQUEST).await.ok()?;
        let mut response = Vec::new();
        while !response.ends_with(b"\r\n\r\n") {
            response.push(stream.read_u8().await.ok()?);
        }
        Some(response.starts_with(b"HTTP/1.1 200"))
    };
    ended("the server responds or closes the connection", exchange).await == Some(true)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_has_a_limited_number_of_connections_and_other_clients_have_their_own() {
    let running = start(Settings { metrics_listen: Some(anywhere()), ..settings(2) }).await.unwrap();
    let (one, other) = (Ipv4Addr::LOCALHOST, Ipv4Addr::new(127, 0, 0, 2));
    let mut open = vec![connect(&running, one).await, connect(&running, one).await];
    for stream in &mut open {
        assert!(is_served(stream).await);
    }
    assert!(!is_served(&mut connect(&running, one).await).await, "it is one too many");
    assert!(is_served(&mut connect(&running, other).await).await);
    for stream in &mut open {
        assert!(is_served(stream).await, "it is still open");
    }
    let scraped = get(running.metrics_url().unwrap(), "/metrics").await;
    assert!(scraped.contains("\ncontentgen_connections_refused_total 1\n"), "{scraped}");
    open.pop();
    until("there is room for another one", async || is_served(&mut connect(&running, one).await).await).await;
    drop(open);
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trusted_proxy_has_as_many_connections_as_it_needs() {
    let trusted_proxies = vec!["127.0.0.3/32".parse().unwrap()];
    let running = start(Settings { trusted_proxies, ..settings(1) }).await.unwrap();
    let mut open = Vec::new();
    for _ in 0..5 {
        let mut stream = connect(&running, Ipv4Addr::new(127, 0, 0, 3)).await;
        assert!(is_served(&mut stream).await);
        open.push(stream);
    }
    drop(open);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_connection_and_a_slow_one_does_not() {
    let deadlines =
        Deadlines { headers: Duration::from_hours(1), reading: Duration::from_secs(10), ..Deadlines::default() };
    let running = start(Settings { deadlines, ..settings(1) }).await.unwrap();
    let size = get(running.base_url().unwrap(), "/docs").await.len();
    // More than the buffers of the system take, on all connections together.
    let requests = b"GET /docs HTTP/1.1\r\nhost: x\r\n\r\n".repeat(64 * 1024 * 1024 / size);
    let (slow, silent) = (Ipv4Addr::new(127, 0, 0, 4), Ipv4Addr::new(127, 0, 0, 5));
    let time = FrozenTime::begin();
    let (mut slow, mut silent_stream) = (connect(&running, slow).await, connect(&running, silent).await);
    for stream in [&mut slow, &mut silent_stream] {
        stream.write_all(&requests).await.unwrap();
    }
    let mut part = vec![0; 256 * 1024];
    for _ in 0..8 {
        ended("the slow client gets a part", slow.read_exact(&mut part)).await.unwrap();
        time.pass(deadlines.reading / 2).await;
    }
    // The other connection is closed, so there is room for another one of its client.
    until("the silent client may connect again", async || is_served(&mut connect(&running, silent).await).await).await;
    let mut rest = Vec::new();
    drop(ended("the connection is closed", silent_stream.read_to_end(&mut rest)).await);
    assert!(rest.len() < 60 * 1024 * 1024, "it got everything: {}", rest.len());
    for _ in 0..32 {
        ended("the slow client gets a part", slow.read_exact(&mut part)).await.unwrap();
    }
    drop((time, slow));
    assert!(running.stop().await);
}
