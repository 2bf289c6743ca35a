//! A load of keep-alive connections that each repeat one prepared request. It checks only the status of the responses.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::rate::{Rate, Stopwatch};

/// Repeats `request` on each of `connections` connections for `time`. Every response must have `status`. The connections are spread evenly
/// over `addresses`.
pub(crate) async fn run(
    addresses: &[SocketAddr],
    request: &[u8],
    status: u16,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Rate> {
    let request: Arc<[u8]> = request.into();
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for address in addresses.iter().copied().cycle().take(connections) {
        let (request, stop, answered) = (Arc::clone(&request), Arc::clone(&stop), Arc::clone(&answered));
        tasks.spawn(async move {
            let mut stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let mut buffer = Vec::with_capacity(128 * 1024);
            while !stop.load(Ordering::Relaxed) {
                stream.write_all(&request).await?;
                read_answer(&mut stream, &mut buffer, status).await?;
                answered.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        });
    }
    // The first moments open connections and warm caches, so they do not count.
    tokio::time::sleep(time / 5).await;
    let (stopwatch, before) = (Stopwatch::start()?, answered.load(Ordering::Relaxed));
    tokio::time::sleep(time).await;
    let rate = stopwatch.stop(answered.load(Ordering::Relaxed) - before)?;
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(rate)
}

/// Sends `request` once. The response must have `status`.
pub(crate) async fn once(address: SocketAddr, request: &[u8], status: u16) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request).await?;
    read_answer(&mut stream, &mut Vec::new(), status).await
}

/// Reads one response with `Content-Length`. Leaves the buffer empty.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>, status: u16) -> anyhow::Result<()> {
    buffer.clear();
    let head = loop {
        if stream.read_buf(buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = std::str::from_utf8(&buffer[..head]).context("a header block that is not UTF-8")?;
    let given = text.get(9..12).and_then(|digits| digits.parse::<u16>().ok());
    if given != Some(status) {
        bail!("expected status {status}, got: {}", String::from_utf8_lossy(buffer));
    }
    let length = text
        .lines()
        .find_map(|line| line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")))
        .and_then(|(_, value)| value.trim().parse::<usize>().ok())
        .context("an answer without Content-Length")?;
    while buffer.len() < head + length {
        if stream.read_buf(buffer).await? == 0 {
            bail!("the server closed the connection in the middle of a body");
        }
    }
    Ok(())
}
