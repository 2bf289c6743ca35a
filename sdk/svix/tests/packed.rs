//! A packed answer, where the HTTP client could unpack it: it has a feature for that, which any crate of a program may turn on.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use contentgen_sdk::{Client, ErrorKind};
use flate2::Compression;
use flate2::write::GzEncoder;

/// So much comes out of 64 KiB.
const UNPACKED: usize = 64 * 1024 * 1024;

/// Valid JSON in a few kilobytes, and far more than is read once it is unpacked.
fn bomb() -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(br#"{"title":""#).expect("memory takes all");
    packed.write_all(&vec![b'x'; UNPACKED]).expect("memory takes all");
    packed.write_all(br#""}"#).expect("memory takes all");
    packed.finish().expect("memory takes all")
}

#[test]
fn nothing_is_asked_for_packed_and_nothing_is_unpacked() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let packed = bomb();
    assert!(packed.len() < 128 * 1024, "{} bytes", packed.len());
    let server = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("the client comes");
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && matches!(connection.read(&mut byte), Ok(1)) {
            head.extend_from_slice(&byte);
        }
        let length = packed.len();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n");
        connection.write_all(answer.as_bytes()).expect("the client listens");
        connection.write_all(&packed).expect("the client listens");
        String::from_utf8(head).expect("a head is text").to_lowercase()
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be had");
    let client = Client::builder().base_url(url).api_key("a-key").build().expect("the configuration is complete");
    let error = runtime.block_on(client.get_article("art_1").send()).expect_err("it is no JSON as it stands");
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::UnexpectedResponse, 1), "{error}");
    assert!(!server.join().expect("no panic").contains("accept-encoding"));
}
