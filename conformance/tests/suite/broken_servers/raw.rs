//! Servers that parse HTTP incorrectly, as no server library would.

use std::time::Duration;

use contentgen_conformance::runner::{Account, Outcome, Target};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::{CASES, run};

/// Returns the response to the bytes that arrived before a pause.
type Answer = fn(&str) -> Vec<u8>;

/// Faults, each with the requirement that must detect it.
const FAULTS: [(&str, Answer); 4] = [
    ("http.raw.malformed", at_face_value),
    ("http.raw.keep-alive", out_of_order),
    ("http.raw.smuggling", by_length),
    ("http.raw.stalled-body", half_a_body),
];

/// Accepts any text that begins with a word as a request.
fn at_face_value(text: &str) -> Vec<u8> {
    if text.contains("conformance-preflight") || text.contains("art_x") { answer(404) } else { answer(200) }
}

/// Returns the responses to several requests on one connection in the wrong order.
fn out_of_order(text: &str) -> Vec<u8> {
    if text.contains("/api/v1/nothing") { [401, 404, 404].map(answer).concat() } else { answer(404) }
}

/// Takes the body's length from `Content-Length` or from the chunks, whichever ends first. The remaining bytes count as a request.
fn by_length(text: &str) -> Vec<u8> {
    if text.contains("X-Hidden") { [answer(401), answer(200)].concat() } else { answer(404) }
}

/// Judges the part of a body that has arrived.
fn half_a_body(text: &str) -> Vec<u8> {
    if text.starts_with("POST") { answer(400) } else { at_face_value(text) }
}

fn answer(status: u16) -> Vec<u8> {
    format!("HTTP/1.1 {status} Raw\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}").into_bytes()
}

/// Reads until the client pauses, responds, and closes the connection.
async fn serve(mut stream: TcpStream, answer: Answer) {
    let mut bytes = vec![0; 64 * 1024];
    let mut length = 0;
    while let Ok(Ok(read)) = tokio::time::timeout(Duration::from_millis(200), stream.read(&mut bytes[length..])).await {
        length += read;
        if read == 0 || length == bytes.len() {
            break;
        }
    }
    let _ = stream.write_all(&answer(&String::from_utf8_lossy(&bytes[..length]))).await;
}

async fn start(answer: Answer) -> (String, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let mut server = JoinSet::new();
    server.spawn(async move {
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            connections.spawn(serve(stream, answer));
        }
    });
    (base_url, server)
}

#[tokio::test]
async fn each_way_to_misread_the_wire_is_caught() {
    for (caught_by, answer) in FAULTS {
        let (base_url, _server) = start(answer).await;
        let account = Account { api_key: "a-key-for-nothing".to_owned(), website_id: Some("web_1".to_owned()) };
        let found = run(Target::new(&base_url, account), vec![caught_by.to_owned()], CASES).await;
        let outcome = &found.results[0].outcome;
        assert!(matches!(outcome, Outcome::Failed(_)), "{caught_by}: {outcome:?}");
    }
}
