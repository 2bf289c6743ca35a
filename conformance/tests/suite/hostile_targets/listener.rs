//! A socket with a behaviour for each connection that the test chooses.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Time limit for a peer that neither reads nor writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// One accepted connection.
pub(crate) struct Connection {
    stream: TcpStream,
    written: u64,
    /// Maximum number of bytes that any connection accepted.
    most: Arc<AtomicU64>,
}

impl Connection {
    /// Reads one request's head and the bytes after it. Returns false if the peer is gone.
    pub(crate) fn read_request(&mut self) -> bool {
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !seen.windows(4).any(|window| window == b"\r\n\r\n") {
            match self.stream.read(&mut buffer) {
                Ok(read) if read > 0 => seen.extend_from_slice(&buffer[..read]),
                _ => return false,
            }
        }
        true
    }

    /// Returns when a request begins to arrive, and leaves it unread.
    pub(crate) fn await_request(&self) {
        let _ = self.stream.peek(&mut [0]);
    }

    /// Returns true if the peer keeps the connection open for that time. Bytes that it sends meanwhile are lost.
    pub(crate) fn is_open_after(&mut self, pause: Duration) -> bool {
        self.stream.set_read_timeout(Some(pause)).unwrap();
        let is_open = match self.stream.read(&mut [0; 4096]) {
            Ok(read) => read > 0,
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
        is_open
    }

    /// Writes all bytes. Returns false if the peer is gone or reads no more.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(count) if count > 0 => {
                    self.written += count as u64;
                    // Update the maximum at once, so that open connections count, too.
                    self.most.fetch_max(self.written, Ordering::Relaxed);
                    bytes = &bytes[count..];
                }
                _ => return false,
            }
        }
        true
    }

    /// Holds the connection open until the peer closes it, for at most half a minute.
    pub(crate) fn hold(&mut self) {
        let mut buffer = [0; 4096];
        for _ in 0..3 {
            while matches!(self.stream.read(&mut buffer), Ok(read) if read > 0) {}
        }
    }
}

/// A hostile server. It listens until the process ends.
pub(crate) struct Hostile {
    pub(crate) base_url: String,
    most: Arc<AtomicU64>,
}

impl Hostile {
    /// Handles every connection in a separate thread.
    pub(crate) fn start(treat: impl Fn(&mut Connection) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let (most, treat) = (Arc::new(AtomicU64::new(0)), Arc::new(treat));
        let all = Arc::clone(&most);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                stream.set_write_timeout(Some(PATIENCE)).unwrap();
                let (treat, most) = (Arc::clone(&treat), Arc::clone(&all));
                thread::spawn(move || treat(&mut Connection { stream, written: 0, most }));
            }
        });
        Self { base_url, most }
    }

    /// Returns the maximum number of bytes that one connection accepted.
    pub(crate) fn most_written(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}
