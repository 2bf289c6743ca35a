//! A server that sends raw bytes, for behaviour that a proper HTTP server does not have: closing early, never answering.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::until::until_some;

/// Action on one connection after the request was read.
#[derive(Clone)]
pub(crate) enum Act {
    /// Writes the bytes and closes.
    Write(&'static str),
    /// Writes the bytes and keeps the connection open until the client closes it.
    Hang(&'static str),
}

/// Waits for the head of the next request.
pub(crate) async fn next_request(requests: &Receiver<String>) -> String {
    until_some("the server has read a request", async || requests.try_recv().ok()).await
}

/// Serves one connection per act. Returns the base URL and the head of each request.
pub(crate) fn serve(acts: Vec<Act>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let address = listener.local_addr().expect("a bound listener has an address");
    let (sender, requests) = channel();
    thread::spawn(move || {
        for act in acts {
            let Ok((mut connection, _)) = listener.accept() else {
                return;
            };
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && matches!(connection.read(&mut byte), Ok(1)) {
                head.extend_from_slice(&byte);
            }
            let _received = sender.send(String::from_utf8_lossy(&head).into_owned());
            let (Act::Write(bytes) | Act::Hang(bytes)) = &act;
            let _sent = connection.write_all(bytes.as_bytes());
            if let Act::Hang(_) = act {
                while matches!(connection.read(&mut byte), Ok(1)) {}
            }
            let _closed = connection.shutdown(Shutdown::Both);
        }
    });
    (format!("http://{address}"), requests)
}
