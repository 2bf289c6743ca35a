//! Changes the bytes of responses below the HTTP library, which cannot write them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Beginning of every response.
const BEGIN: &[u8] = b"HTTP/1.1 ";
/// End of a response head.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// A response before it is written: its head, and as much of the body as is in the same piece.
#[derive(Debug)]
pub struct Written {
    /// Method of its request.
    pub method: String,
    /// The status.
    pub status: u16,
    /// Head and body.
    pub bytes: Vec<u8>,
}

impl Written {
    /// Returns a header's first value.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = String::from_utf8_lossy(&self.bytes[..self.head_end()?]).into_owned();
        let lines = head.lines().filter_map(|line| line.split_once(':'));
        let mut values = lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        values.next().map(|value| value.trim().to_owned())
    }

    /// Writes the body as one chunk with Transfer-Encoding, beside the existing Content-Length.
    pub fn chunk(&mut self) {
        let Some(end) = self.head_end() else { return };
        let body = self.bytes.split_off(end + HEAD_END.len());
        self.bytes.truncate(end);
        self.bytes.extend_from_slice(b"\r\ntransfer-encoding: chunked\r\n\r\n");
        if !body.is_empty() {
            self.bytes.extend_from_slice(format!("{:x}\r\n", body.len()).as_bytes());
            self.bytes.extend_from_slice(&body);
            self.bytes.extend_from_slice(b"\r\n");
        }
        self.bytes.extend_from_slice(b"0\r\n\r\n");
    }

    fn head_end(&self) -> Option<usize> {
        self.bytes.windows(HEAD_END.len()).position(|window| window == HEAD_END)
    }
}

/// Changes a response below HTTP.
pub type Rewrite = fn(&mut Written);

/// A connection that rewrites responses.
pub(super) struct Wire<Stream> {
    stream: Stream,
    rewrite: Option<Rewrite>,
    /// Method of the last request that was read.
    method: String,
    /// Rewritten bytes that are not written yet.
    pending: Vec<u8>,
}

impl<Stream: AsyncWrite + Unpin> Wire<Stream> {
    pub(super) fn new(stream: Stream, rewrite: Option<Rewrite>) -> Self {
        Self { stream, rewrite, method: String::new(), pending: Vec::new() }
    }

    fn poll_pending(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pending.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.pending))?;
            self.pending.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    fn rewritten(&self, bytes: &[u8], rewrite: Rewrite) -> Vec<u8> {
        let status = bytes.strip_prefix(BEGIN).and_then(|rest| std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok());
        let Some(status) = status else { return bytes.to_vec() };
        let mut written = Written { method: self.method.clone(), status, bytes: bytes.to_vec() };
        rewrite(&mut written);
        written.bytes
    }
}

impl<Stream: AsyncRead + Unpin> AsyncRead for Wire<Stream> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = buffer.filled()[before..].split(|byte| *byte == b' ').next().unwrap_or_default();
        // A later piece of a body begins differently.
        if !read.is_empty() && read.len() < 16 && read.iter().all(u8::is_ascii_uppercase) {
            self.method = String::from_utf8_lossy(read).into_owned();
        }
        Poll::Ready(Ok(()))
    }
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for Wire<Stream> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Some(rewrite) = self.rewrite else { return Pin::new(&mut self.stream).poll_write(context, bytes) };
        ready!(self.poll_pending(context))?;
        self.pending = self.rewritten(bytes, rewrite);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::Written;

    #[test]
    fn a_body_becomes_one_chunk_beside_its_length() {
        let bytes = b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}".to_vec();
        let mut written = Written { method: "GET".to_owned(), status: 404, bytes };
        assert_eq!(written.header("content-length").as_deref(), Some("2"));
        written.chunk();
        let expected =
            "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
        assert_eq!(String::from_utf8_lossy(&written.bytes), expected);
    }
}
