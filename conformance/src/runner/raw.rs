//! Sends raw bytes over a fresh connection: requests that no HTTP client would send.

use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;

use super::target::ExtraHeader;
use crate::check::TransportFault;
use crate::lateness::Lateness;

/// Maximum number of bytes of a raw response: checks read its status lines, not its bodies.
const MAX_ANSWER: usize = 256 * 1024;
/// Silence after which a raw response is complete; twice the time of the first bytes, if that is longer.
const SILENCE: Duration = Duration::from_millis(700);
/// The beginning of every response.
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

/// Writes `bytes` to a fresh connection and reads until the peer closes, falls silent after a response, or `limit` has
/// passed. The limit is extended by the `lateness` of the suite.
pub(super) async fn exchange(
    base_url: &str,
    tls: Option<&TlsConnector>,
    limit: Duration,
    lateness: &Lateness,
    bytes: &[u8],
    enough: usize,
) -> Result<Vec<u8>, TransportFault> {
    let mut stream = connect(base_url, tls, limit, lateness).await?;
    // A peer that refuses early may close before all is written. Its response still counts.
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
                    // Give a slow target the same time for each further response.
                    patience = SILENCE.max(begun.elapsed() * 2);
                }
                // The beginning of a response may be split over two reads.
                let from = seen.len().saturating_sub(BEGIN.len() - 1);
                seen.extend_from_slice(&buffer[..read]);
                answers += seen[from..].windows(BEGIN.len()).filter(|window| *window == BEGIN).count();
            }
            _ => break,
        }
    }
    Ok(seen)
}

/// Returns true if the bytes of a response are HTTP/1.x, and do not say that the server needs another version (426 or 505).
pub(super) fn is_http1(answer: &[u8]) -> bool {
    answer.starts_with(BEGIN) && !matches!(answer.get(9..12), Some(b"426" | b"505"))
}

/// Returns `bytes` with `headers` added to each HTTP/1.1 request, up to the first one with a body: the bytes behind it may be its body.
pub(super) fn with_headers(bytes: &[u8], headers: &[ExtraHeader]) -> Vec<u8> {
    let lines: Vec<String> = headers.iter().map(|header| format!("{}: {}\r\n", header.name, header.value)).collect();
    let lines = lines.concat();
    let position = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|window| window == what);
    let mut filled = Vec::with_capacity(bytes.len() + lines.len());
    let mut rest = bytes;
    while let Some(end) = position(rest, b"\r\n\r\n") {
        let (head, behind) = rest.split_at(end + 4);
        let (request, fields) = head.split_at(position(head, b"\r\n").unwrap_or(end) + 2);
        filled.extend_from_slice(request);
        if request.ends_with(b" HTTP/1.1\r\n") {
            filled.extend_from_slice(lines.as_bytes());
        }
        filled.extend_from_slice(fields);
        rest = behind;
        let fields = String::from_utf8_lossy(fields).to_ascii_lowercase();
        if fields.contains("content-length:") || fields.contains("transfer-encoding:") {
            break;
        }
    }
    filled.extend_from_slice(rest);
    filled
}

/// Returns `bytes` with the first `what` replaced.
pub(super) fn replace(bytes: Vec<u8>, what: &[u8], by: &[u8]) -> Vec<u8> {
    match bytes.windows(what.len()).position(|window| window == what) {
        Some(at) => [&bytes[..at], by, &bytes[at + what.len()..]].concat(),
        None => bytes,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_server_that_needs_another_version_does_not_speak_http1() {
        for (answer, expected) in [
            ("HTTP/1.1 200 OK\r\n", true),
            ("HTTP/1.0 404 Not Found\r\n", true),
            ("HTTP/1.1 426 Upgrade Required\r\n", false),
            ("HTTP/1.1 505 HTTP Version Not Supported\r\n", false),
            ("HTTP/2 200\r\n", false),
            ("\0\0\x12\x04\0", false),
            ("", false),
        ] {
            assert_eq!(super::is_http1(answer.as_bytes()), expected, "{answer:?}");
        }
    }

    use super::{ExtraHeader, with_headers};

    fn filled(bytes: &str) -> String {
        let header = |name: &str| ExtraHeader { name: name.to_owned(), value: "v".to_owned(), variable: None };
        String::from_utf8(with_headers(bytes.as_bytes(), &[header("A"), header("B")])).unwrap()
    }

    #[test]
    fn every_request_gets_the_headers_and_no_body_does() {
        let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
        let with = "GET / HTTP/1.1\r\nA: v\r\nB: v\r\nHost: h\r\n\r\n";
        assert_eq!(filled(&get.repeat(2)), with.repeat(2));
        let post = "POST / HTTP/1.1\r\nA: v\r\nB: v\r\nTransfer-Encoding: chunked\r\n\r\n";
        let without = post.replace("A: v\r\nB: v\r\n", "");
        assert_eq!(filled(&format!("{without}0\r\n\r\n{get}")), format!("{post}0\r\n\r\n{get}"));
        for none in ["GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost: h", "", "\u{0}\r\n\r\n"] {
            assert_eq!(filled(none), none);
        }
        assert_eq!(filled("GET / HTTP/1.1\r\n\r\n"), "GET / HTTP/1.1\r\nA: v\r\nB: v\r\n\r\n");
    }
}
