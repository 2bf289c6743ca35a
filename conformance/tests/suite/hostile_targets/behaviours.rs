//! Behaviours of hostile targets on a connection.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::listener::Connection;

const JSON: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const DRIP: Duration = Duration::from_millis(50);

fn answer(head: &[u8], body: &[u8]) -> Vec<u8> {
    [head, format!("content-length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

pub(crate) fn silent(connection: &mut Connection) {
    connection.hold();
}

pub(crate) fn closing(_: &mut Connection) {}

/// Closes the connection with unread bytes, so that the system sends a reset.
pub(crate) fn resetting(connection: &mut Connection) {
    connection.await_request();
    connection.write(JSON);
}

pub(crate) fn endless_headers(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    let mut number = 0_u64;
    while connection.write(format!("x-{number}: {}\r\n", "y".repeat(1000)).as_bytes()) {
        number += 1;
    }
}

pub(crate) fn dripping_headers(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"x-drip: ");
    while connection.write(b"y") && connection.is_open_after(DRIP) {}
}

pub(crate) fn endless_body(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"connection: close\r\n\r\n[");
    let piece = b"0,".repeat(32 * 1024);
    while connection.write(&piece) {}
}

pub(crate) fn endless_chunks(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"transfer-encoding: chunked\r\n\r\n");
    let piece = [b"10000\r\n".as_slice(), &b" ".repeat(0x10000), b"\r\n"].concat();
    while connection.write(&piece) {}
}

pub(crate) fn dripping_body(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"content-length: 1000000\r\n\r\n");
    while connection.write(b" ") && connection.is_open_after(DRIP) {}
}

pub(crate) fn truncated(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"content-length: 100\r\n\r\n{\"job_id\":");
}

pub(crate) fn another_protocol(connection: &mut Connection) {
    connection.read_request();
    connection.write(b"220 mail.example ESMTP \x00\xff\r\n");
    connection.write(&[0x16, 3, 1, 0, 5].repeat(200));
}

pub(crate) fn two_lengths(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"content-length: 2\r\ncontent-length: 20\r\n\r\n{}");
    connection.hold();
}

pub(crate) fn broken_chunks(connection: &mut Connection) {
    connection.read_request();
    connection.write(JSON);
    connection.write(b"transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n");
    connection.hold();
}

/// Sends the beginning of a gzip bomb. The suite must not decompress at all, so a whole stream of 10 MB for 10 GB of zeroes is unnecessary.
pub(crate) fn bomb(connection: &mut Connection) {
    let body = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0xec, 0xc1, 0x01, 0x01].repeat(1 << 20)].concat();
    let head = [JSON, b"content-encoding: gzip\r\n"].concat();
    connection.read_request();
    // One response for each connection, so that the bytes written are the bytes read of one response.
    connection.write(&answer(&head, &body));
}

pub(crate) fn continuing(connection: &mut Connection) {
    connection.read_request();
    let more = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(100);
    while connection.write(&more) && connection.is_open_after(Duration::from_millis(1)) {}
}

pub(crate) fn always_429(connection: &mut Connection) {
    let head = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-type: application/json\r\n";
    while connection.read_request() && connection.write(&answer(head, b"{}")) {}
}

pub(crate) fn deep_json(connection: &mut Connection) {
    let body = [b"[".repeat(500_000), b"]".repeat(500_000)].concat();
    connection.read_request();
    connection.write(&answer(JSON, &body));
}

/// Responds like a server until the run is under way, and then stops responding.
pub(crate) fn hangs_later() -> impl Fn(&mut Connection) + Send + Sync + 'static {
    let answered = AtomicU32::new(0);
    move |connection| {
        while connection.read_request() {
            if answered.fetch_add(1, Ordering::Relaxed) >= 12 {
                return connection.hold();
            }
            let head = b"HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\n";
            connection.write(&answer(head, b"{\"code\":\"article_not_found\"}"));
        }
    }
}

/// Sends two responses to each request, the second one before the next request.
pub(crate) fn eager(connection: &mut Connection) {
    while connection.read_request() {
        let one = answer(JSON, b"{\"job_id\":\"1\"}");
        if !connection.write(&[one.clone(), one].concat()) {
            return;
        }
    }
}
