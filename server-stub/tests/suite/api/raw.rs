//! Bytes that no HTTP library sends.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::world::World;

/// Sends these bytes and reads until the server closes the connection.
async fn exchange(bytes: &[u8]) -> String {
    let address = World::shared().base_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // A server that closes with unread bytes resets the connection. The bytes before the reset count.
    drop(stream.read_to_end(&mut answer).await);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_header_block_over_16_kib_is_431_with_a_problem_and_far_over_it_without() {
    let request = |size: usize| {
        format!("GET /api/v1/websites HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-pad: {}\r\n\r\n", "p".repeat(size))
    };
    let answer = exchange(request(17 * 1024).as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431") && answer.contains("headers_too_large"), "{answer}");
    assert!(exchange(request(15 * 1024).as_bytes()).await.starts_with("HTTP/1.1 401"));
    assert!(exchange(request(80 * 1024).as_bytes()).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test]
async fn malformed_requests_are_refused_and_the_server_lives_on() {
    for bytes in [
        "\0\0\0\0",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nbad header\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
    ] {
        let answer = exchange(bytes.as_bytes()).await;
        assert!(
            answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4") || answer.is_empty(),
            "{bytes:?}: {answer}"
        );
    }
    assert_eq!(World::shared().first().get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_chunked_body_is_read_like_any_other() {
    let world = World::shared();
    let body = world.order("Chunked").to_string();
    let (one, two) = body.split_at(10);
    let request = format!(
        "POST /api/v1/generate HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n",
        world.accounts[0].api_key,
        one.len(),
        two.len(),
    );
    assert!(exchange(request.as_bytes()).await.starts_with("HTTP/1.1 202"));
}
