//! Raw bytes over a fresh connection, for what no HTTP client would send.
//!
//! HTTP itself is spoken in `transport`.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::transport::fault;
use crate::requirements::TransportFault;

/// Most bytes that are read of a raw answer: its status lines are looked at, not its bodies.
const MAX_ANSWER: usize = 256 * 1024;
/// How long a raw connection may stay silent before what came counts as the answer.
const SILENCE: Duration = Duration::from_millis(700);
/// What every answer begins with.
const BEGIN: &[u8] = b"HTTP/1.";

/// Writes `bytes` to a fresh connection and reads until the peer closes, falls silent, or `limit` has passed.
pub(super) async fn exchange(
    base_url: &str,
    limit: Duration,
    bytes: &[u8],
    enough: usize,
) -> Result<Vec<u8>, TransportFault> {
    let url = url::Url::parse(base_url).map_err(|error| fault(&error.to_string()))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = url.port_or_known_default().unwrap_or(80);
    let mut stream = timeout(limit, TcpStream::connect((host, port)))
        .await
        .map_err(|_| fault("no connection in time"))?
        .map_err(|error| fault(&format!("no connection: {error}")))?;
    // A peer that refuses early may close before all is written; what it said still counts.
    let _ = timeout(limit, stream.write_all(bytes)).await;
    let mut seen = Vec::new();
    let mut buffer = vec![0; 16 * 1024];
    let mut answers = 0;
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline && seen.len() < MAX_ANSWER {
        let silence = if answers >= enough { SILENCE / 7 } else { SILENCE };
        match timeout(silence, stream.read(&mut buffer)).await {
            Ok(Ok(read)) if read > 0 => {
                // The beginning of an answer may be spread over two reads.
                let from = seen.len().saturating_sub(BEGIN.len() - 1);
                seen.extend_from_slice(&buffer[..read]);
                answers += seen[from..].windows(BEGIN.len()).filter(|window| *window == BEGIN).count();
            }
            _ => break,
        }
    }
    Ok(seen)
}

/// `bytes` with the first `what` replaced.
pub(super) fn replace(bytes: Vec<u8>, what: &[u8], by: &[u8]) -> Vec<u8> {
    match bytes.windows(what.len()).position(|window| window == what) {
        Some(at) => [&bytes[..at], by, &bytes[at + what.len()..]].concat(),
        None => bytes,
    }
}
