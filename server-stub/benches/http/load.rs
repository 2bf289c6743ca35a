//! A load of keep-alive connections that each repeat one prepared request. It measures; it judges nothing but the status.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// What one run of a load came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    /// Answers per second over all connections.
    pub(crate) per_second: f64,
    /// Processor time of server and load together, microseconds an answer. Other programs do not disturb it.
    pub(crate) cpu_micros: f64,
}

/// Repeats `request` on each of `connections` connections for `time`; every answer must have `status`.
pub(crate) async fn run(
    address: SocketAddr,
    request: &[u8],
    status: u16,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Rate> {
    let request: Arc<[u8]> = request.into();
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
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
    // The first moments open connections and warm caches: they do not count.
    tokio::time::sleep(time / 5).await;
    let (began, cpu_before, before) = (Instant::now(), cpu_seconds()?, answered.load(Ordering::Relaxed));
    tokio::time::sleep(time).await;
    let (took, cpu, count) = (began.elapsed(), cpu_seconds()? - cpu_before, answered.load(Ordering::Relaxed) - before);
    stop.store(true, Ordering::Relaxed);
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds are far below 2^52")]
    let count = count as f64;
    Ok(Rate { per_second: count / took.as_secs_f64(), cpu_micros: cpu * 1e6 / count })
}

/// Processor seconds of this process so far, user and system, from `/proc/self/stat` (proc(5): fields 14 and 15, in ticks
/// of which Linux has 100 a second).
fn cpu_seconds() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("this bench reads /proc, which Linux has")?;
    let (_, fields) = stat.rsplit_once(')').context("an unknown form of /proc/self/stat")?;
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

/// Sends `request` once; the answer must have `status`.
pub(crate) async fn once(address: SocketAddr, request: &[u8], status: u16) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request).await?;
    read_answer(&mut stream, &mut Vec::new(), status).await
}

/// Reads one answer with `Content-Length`, leaving the buffer empty.
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
