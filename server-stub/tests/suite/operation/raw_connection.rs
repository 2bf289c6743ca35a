//! A client that writes requests byte by byte.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::waiting::ended;

/// A connection to a server under test.
pub(crate) struct RawConnection(pub(crate) TcpStream);

impl RawConnection {
    pub(crate) async fn open(base_url: &str) -> Self {
        let rest = base_url.strip_prefix("http://").unwrap();
        Self(TcpStream::connect(rest.split('/').next().unwrap()).await.unwrap())
    }

    pub(crate) async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Returns all bytes until the server closes the connection.
    pub(crate) async fn read(mut self) -> String {
        let mut answer = Vec::new();
        drop(ended("the server answers and closes", self.0.read_to_end(&mut answer)).await);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

/// Sends one request and returns its response. The connection is closed afterwards. `more` contains header lines, each with its line end.
pub(crate) async fn send(base_url: &str, method: &str, path: &str, more: &str, body: &str) -> String {
    let mut wire = RawConnection::open(base_url).await;
    let length = body.len();
    wire.write(&format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{more}\r\n{body}"
    ))
    .await;
    wire.read().await
}

pub(crate) async fn get(base_url: &str, path: &str) -> String {
    send(base_url, "GET", path, "", "").await
}

/// Returns the status of a response.
pub(crate) fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("no status in {answer:?}"))
}

/// Returns the body of a response.
pub(crate) fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}
