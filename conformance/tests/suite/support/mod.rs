//! A small HTTP server with the responses of a test, for servers that break the contract.

pub(crate) mod cli;
pub(crate) mod delivery;
pub(crate) mod documented;
pub(crate) mod facts;
pub(crate) mod in_memory;
#[cfg(feature = "reference")]
pub(crate) mod judged;
pub(crate) mod waiting;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One request as the fake received it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// A fake server. It listens until the process ends.
pub(crate) struct Fake {
    pub(crate) base_url: String,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
}

impl Fake {
    /// Responds to every request with the bytes from `answer`, a whole HTTP response.
    pub(crate) fn start(answer: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (log, answer) = (Arc::clone(&seen), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || serve(&stream, &log, answer.as_ref()));
            }
        });
        Self { base_url, seen }
    }

    /// Responds to every request with this status and body.
    pub(crate) fn constant(status: u16, body: &'static str) -> Self {
        Self::start(move |_| answer(status, &[("content-type", "application/json")], body.as_bytes()))
    }
}

/// Returns a whole HTTP response.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Fake\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    for (name, value) in headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

fn serve(stream: &TcpStream, log: &Mutex<Vec<Seen>>, answer: &dyn Fn(&Seen) -> Vec<u8>) {
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let Some(seen) = read_request(stream) else {
        return;
    };
    let bytes = answer(&seen);
    log.lock().unwrap().push(seen);
    let mut stream = stream;
    let _ = stream.write_all(&bytes);
}

/// Reads one request. Returns `None` if it is incomplete.
pub(crate) fn read_request(from: impl Read) -> Option<Seen> {
    let mut reader = BufReader::new(from);
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return None;
    }
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap_or("").to_owned(), words.next().unwrap_or("").to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen { method, path, headers, body })
}
