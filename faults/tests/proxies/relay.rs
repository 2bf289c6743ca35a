//! The webhook proxy without a fault: it passes the receiver's response to the sender, and the sender's request to the receiver.

use std::time::Duration;

use contentgen_faults::FaultyServer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Turns a hang into a failure. No result depends on it.
const GIVE_UP_AFTER: Duration = Duration::from_mins(5);

/// A receiver that reads one webhook, responds with these bytes and waits until the peer closes. It signals when it has responded, and ends
/// when the peer has closed.
async fn receiver(answer: &'static str) -> (String, oneshot::Receiver<()>, JoinHandle<()>) {
    let (tell, has_answered) = oneshot::channel();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hooks/one", listener.local_addr().unwrap());
    #[expect(clippy::disallowed_methods, reason = "the receiver ends with the test")]
    let closed = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 4096];
        let _ = stream.read(&mut bytes).await.unwrap();
        stream.write_all(answer.as_bytes()).await.unwrap();
        let _test_has_ended = tell.send(());
        while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
    });
    (url, has_answered, closed)
}

/// Sends a webhook through the proxy, and returns the connection.
async fn send(server: &FaultyServer, target: &str) -> TcpStream {
    let url = server.relay().url(&server.relay().open(target));
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let hook = format!("POST /{path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: 2\r\n\r\n{{}}");
    stream.write_all(hook.as_bytes()).await.unwrap();
    stream
}

async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 4096];
    let read = timeout(GIVE_UP_AFTER, stream.read(&mut bytes)).await.unwrap().unwrap();
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

async fn server() -> FaultyServer {
    FaultyServer::start("http://127.0.0.1:9").await.unwrap()
}

#[tokio::test]
async fn what_a_receiver_answers_is_what_the_sender_gets() {
    let (url, _has_answered, _closed) =
        receiver("HTTP/1.1 503 Busy\r\nretry-after: 12\r\nlocation: ?elsewhere\r\ncontent-length: 2\r\n\r\nno").await;
    let server = server().await;
    let answer = read(&mut send(&server, &url).await).await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("retry-after: 12\r\n"), "{answer}");
    assert!(answer.contains(&format!("location: {url}?elsewhere\r\n")), "{answer}");
    assert!(answer.ends_with("\r\n\r\nno"), "{answer}");
}

#[tokio::test]
async fn a_sender_that_hangs_up_hangs_up_at_the_receiver() {
    for answer in ["", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nun"] {
        let (url, has_answered, closed) = receiver(answer).await;
        let server = server().await;
        let mut stream = send(&server, &url).await;
        if !answer.is_empty() {
            assert!(read(&mut stream).await.starts_with("HTTP/1.1 200 "), "the head does not wait for the end");
        }
        has_answered.await.unwrap();
        // Other webhooks pass meanwhile, so that a proxy that wrongly leaves the receiver has time to do so.
        for _ in 0..5 {
            let (other, _has_answered, _closed) = receiver("HTTP/1.1 204 No Content\r\n\r\n").await;
            assert!(read(&mut send(&server, &other).await).await.starts_with("HTTP/1.1 204 "));
        }
        assert!(!closed.is_finished(), "the receiver was left before the sender left");
        drop(stream);
        timeout(GIVE_UP_AFTER, closed).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_receiver_that_nobody_reaches_breaks_the_connection_of_the_sender() {
    let server = server().await;
    assert_eq!(read(&mut send(&server, "http://127.0.0.1:9/hook").await).await, "");
}
