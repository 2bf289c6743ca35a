//! Raw bytes over a fresh connection, for what no HTTP client would send.
//!
//! HTTP itself is spoken in `transport`.

use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;

use crate::check::TransportFault;
use crate::lateness::Lateness;

/// Most bytes that are read of a raw answer: its status lines are looked at, not its bodies.
const MAX_ANSWER: usize = 256 * 1024;
/// How long a raw connection may stay silent after its first bytes before what came counts as all; twice what these took, if that is
/// longer.
const SILENCE: Duration = Duration::from_millis(700);
/// What every answer begins with.
const BEGIN: &[u8] = b"HTTP/1.";

/// A connection, with TLS or without.
trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<Stream: AsyncRead + AsyncWrite + Send + Unpin> Connection for Stream {}

async fn connect(
    base_url: &str,
    tls: Option<&TlsConnector>,
    limit: Duration,
    lateness: &Lateness,
) -> Result<Box<dyn Connection>, TransportFault> {
    let url = url::Url::parse(base_url).map_err(|error| TransportFault::new(error.to_string()))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = url.port_or_known_default().unwrap_or(80);
    let stream = lateness
        .within(limit, TcpStream::connect((host.clone(), port)))
        .await
        .ok_or_else(|| TransportFault::new("no connection in time"))?
        .map_err(|error| TransportFault::new(format!("no connection: {error}")))?;
    let Some(tls) = tls else { return Ok(Box::new(stream)) };
    let name = ServerName::try_from(host).map_err(|error| TransportFault::new(format!("no connection: {error}")))?;
    let stream = lateness
        .within(limit, tls.connect(name, stream))
        .await
        .ok_or_else(|| TransportFault::new("no connection in time"))?
        .map_err(|error| TransportFault::new(format!("no connection: {error}")))?;
    Ok(Box::new(stream))
}

/// Writes `bytes` to a fresh connection and reads until the peer closes, falls silent after an answer, or `limit` has passed, all
/// of which may be as late as `lateness` says that the suite is.
pub(super) async fn exchange(
    base_url: &str,
    tls: Option<&TlsConnector>,
    limit: Duration,
    lateness: &Lateness,
    bytes: &[u8],
    enough: usize,
) -> Result<Vec<u8>, TransportFault> {
    let mut stream = connect(base_url, tls, limit, lateness).await?;
    // A peer that refuses early may close before all is written; what it said still counts.
    let _ = lateness.within(limit, stream.write_all(bytes)).await;
    let _ = lateness.within(limit, stream.flush()).await;
    let mut seen = Vec::new();
    let mut buffer = vec![0; 16 * 1024];
    let mut answers = 0;
    let (begun, late_before) = (Instant::now(), lateness.total());
    let mut patience = limit;
    while seen.len() < MAX_ANSWER {
        let left = (limit + lateness.total().saturating_sub(late_before)).saturating_sub(begun.elapsed());
        if left.is_zero() {
            break;
        }
        let silence = if answers >= enough { patience / 7 } else { patience }.min(left);
        match lateness.within(silence, stream.read(&mut buffer)).await {
            Some(Ok(read)) if read > 0 => {
                if seen.is_empty() {
                    // A slow target is given that time for each of its other answers, too.
                    patience = SILENCE.max(begun.elapsed() * 2);
                }
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
