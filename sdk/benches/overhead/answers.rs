//! A server on a thread of its own, so that its processor time is not counted. It gives two prepared answers.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const JOB: &str = r#"{"job_id":"job_01KB0A5B2KZ9Y8X7W6V5T4S3R2","status":"running","done":false,"topic":"Raised beds for a small garden","website_id":"web_01KB0A5B2KZ9Y8X7W6V5T4S3R2","progress":40,"attempts":1,"created_at":"2026-11-20T10:00:00Z","started_at":"2026-11-20T10:00:01Z","metadata":{"row":"7"}}"#;
const QUEUED: &str = r#"{"job_id":"job_01KB0A5B2KZ9Y8X7W6V5T4S3R2","status":"queued","topic":"Raised beds for a small garden","scheduled_post_id":"post_01KB0A5B2KZ9Y8X7W6V5T4S3R2","metadata":{},"website_id":"web_01KB0A5B2KZ9Y8X7W6V5T4S3R2","created_at":"2026-11-20T10:00:00Z"}"#;

/// Starts it; it ends with the process.
pub(crate) fn serve() -> std::io::Result<SocketAddr> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    listener.set_nonblocking(true)?;
    std::thread::Builder::new().name("server".to_owned()).spawn(move || -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener)?;
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await?;
                connections.spawn(answer(stream));
            }
        })
    })?;
    Ok(address)
}

/// Answers one request after the other.
async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let [job, queued] = [("200 OK", JOB), ("202 Accepted", QUEUED)].map(|(status, body)| prepared(status, body));
    let mut received = Vec::with_capacity(16 * 1024);
    loop {
        received.clear();
        let length = loop {
            if stream.read_buf(&mut received).await? == 0 {
                return Ok(());
            }
            if let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4 + body_length(&received[..end]);
            }
        };
        while received.len() < length {
            if stream.read_buf(&mut received).await? == 0 {
                return Ok(());
            }
        }
        stream.write_all(if received.starts_with(b"POST") { &queued } else { &job }).await?;
    }
}

/// The length that a request's headers announce.
fn body_length(head: &[u8]) -> usize {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0)
}

/// An answer as it goes over the wire, with the headers that the service sends.
fn prepared(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         x-request-id: req_01KB0A5B2KZ9Y8X7W6V5T4S3R2\r\ncache-control: private, no-cache\r\netag: \"a1b2c3d4e5f6\"\r\n\
         x-ratelimit-limit: 600\r\nx-ratelimit-remaining: 599\r\ndate: Fri, 20 Nov 2026 10:00:00 GMT\r\n\r\n{body}"
    )
    .into_bytes()
}
