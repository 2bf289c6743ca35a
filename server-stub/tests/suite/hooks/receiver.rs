//! An HTTP receiver that stores every request unchanged and responds by a script.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::waiting::ended;

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) request_line: String,
    /// Headers with names in lower case.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Response for one path.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// These bytes.
    Bytes(String),
    /// The first response once, then the second.
    FirstThen(String, String),
    /// These bytes for the first requests at once, and for later ones only after [`Receiver::release`].
    ThenHeld(usize, String),
    /// No response, while the connection stays open.
    Silence,
    /// The received request, in the body and in a header.
    Echo,
}

pub(crate) fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\ncontent-length: 2\r\n\r\nok")
}

/// Listens until it is dropped.
pub(crate) struct Receiver {
    address: SocketAddr,
    received: Arc<watch::Sender<Vec<Received>>>,
    released: watch::Sender<bool>,
    _connections: JoinSet<()>,
}

impl Receiver {
    pub(crate) async fn start(answers: &[(&str, Answer)]) -> Self {
        let answers: HashMap<_, _> =
            answers.iter().map(|(path, answer)| ((*path).to_owned(), answer.clone())).collect();
        let answers = Arc::new(Mutex::new(answers));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(watch::Sender::new(Vec::new()));
        let mut connections = JoinSet::new();
        let log = Arc::clone(&received);
        let (released, is_released) = watch::channel(false);
        connections.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(serve(stream, Arc::clone(&answers), Arc::clone(&log), is_released.clone()));
            }
        });
        Self { address, received, released, _connections: connections }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends the held responses, and holds no more.
    pub(crate) fn release(&self) {
        self.released.send_replace(true);
    }

    /// Returns the requests to `path` so far.
    pub(crate) fn at(&self, path: &str) -> Vec<Received> {
        let wanted = posted_to(path);
        self.received.borrow().iter().filter(|received| received.request_line == wanted).cloned().collect()
    }

    /// Waits for `count` requests to `path`.
    pub(crate) async fn wait_for(&self, path: &str, count: usize) -> Vec<Received> {
        let mut changes = self.received.subscribe();
        let wanted = posted_to(path);
        // The closure runs while the list of requests is locked.
        let waiting = changes
            .wait_for(|received| received.iter().filter(|received| received.request_line == wanted).count() >= count);
        drop(ended(&format!("{count} requests came to {path}"), waiting).await);
        self.at(path)
    }
}

/// Returns the request line of a webhook.
fn posted_to(path: &str) -> String {
    format!("POST {path} HTTP/1.1")
}

async fn serve(
    mut stream: TcpStream,
    answers: Arc<Mutex<HashMap<String, Answer>>>,
    log: Arc<watch::Sender<Vec<Received>>>,
    mut released: watch::Receiver<bool>,
) {
    let mut buffer = Vec::new();
    while let Some(request) = read_request(&mut stream, &mut buffer).await {
        let path = request.request_line.split(' ').nth(1).unwrap_or_default().to_owned();
        let answer = {
            let mut answers = answers.lock().unwrap();
            let answer = answers.get(&path).cloned().unwrap_or_else(|| Answer::Bytes(status("404 Not Found")));
            match &answer {
                Answer::FirstThen(_, then) => drop(answers.insert(path, Answer::Bytes(then.clone()))),
                Answer::ThenHeld(times, bytes) => {
                    drop(answers.insert(path, Answer::ThenHeld(times.saturating_sub(1), bytes.clone())));
                }
                _ => {}
            }
            answer
        };
        let body = request.body.clone();
        log.send_modify(|received| received.push(request));
        if let Answer::ThenHeld(0, _) = answer {
            drop(released.wait_for(|is_released| *is_released).await);
        }
        match answer {
            Answer::Bytes(bytes) | Answer::FirstThen(bytes, _) | Answer::ThenHeld(_, bytes) => {
                if stream.write_all(bytes.as_bytes()).await.is_err() {
                    return;
                }
            }
            Answer::Echo => {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nx-echo: ", body.len());
                let answer = [head.as_bytes(), &body, b"\r\n\r\n", &body].concat();
                if stream.write_all(&answer).await.is_err() {
                    return;
                }
            }
            Answer::Silence => std::future::pending().await,
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Received> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(buffer[..end].to_vec()).ok()?;
            let mut lines = head.split("\r\n");
            let request_line = lines.next()?.to_owned();
            let headers: HashMap<_, _> = lines
                .filter_map(|line| line.split_once(':'))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
                .collect();
            let length: usize = headers.get("content-length").map_or(Some(0), |length| length.parse().ok())?;
            if buffer.len() >= end + 4 + length {
                let body = buffer[end + 4..end + 4 + length].to_vec();
                buffer.drain(..end + 4 + length);
                return Some(Received { request_line, headers, body });
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}
